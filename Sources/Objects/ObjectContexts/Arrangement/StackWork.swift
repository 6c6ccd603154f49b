package import JSON
package import ObjectMapping

/// The work of a closure on a context, in pieces between which other queues may run.
///
/// A closure of an application is one piece. A piece returns the pieces that follow it.
package struct StackWork {
  package let name: JSONString
  package let body: (QueuedContext) throws -> [StackWork]

  package init(_ name: JSONString, _ body: @escaping (QueuedContext) throws -> [StackWork]) {
    self.name = name
    self.body = body
  }

  /// The closure of an application.
  init(_ closure: @escaping (QueuedContext) throws -> Void) {
    self.init("closure") { context in
      try closure(context)
      return []
    }
  }

  /// Find-or-insert whose search and insertion can be interleaved with other queues.
  package static func findOrInsert(_ request: FindOrInsert) -> StackWork {
    StackWork(JSONString("find \(request.data)")) { context in
      let found = try context.find(request)
      guard found.isEmpty else {
        try context.handle(request, found)
        return []
      }
      return [
        StackWork(JSONString("insert \(request.data)")) { context in
          try context.insert(request)
          return []
        }
      ]
    }
  }

  /// Find-or-insert in one piece, as an atomic closure performs it.
  package static func findOrInsertAtOnce(_ request: FindOrInsert) -> StackWork {
    StackWork(JSONString("find or insert \(request.data)")) { context in
      try context.findOrInsert(request)
      return []
    }
  }

  func piece(on queue: StackQueue, of operation: Int?) -> QueuePiece {
    QueuePiece(name, needsWriter: { _ in true }) { stack throws(ContextError) in
      let context = QueuedContext(stack, queue, operation: operation)
      do {
        let next = try body(context)
        stack.goOn(with: next.map { $0.piece(on: queue, of: operation) })
      } catch {
        throw ContextError(error, on: queue)
      }
    }
  }
}

/// The search of find-or-insert, and the handling of its result.
package struct FindOrInsert {
  package let entity: JSONString
  package let key: JSONString
  package let value: PredicateValue
  /// The id of a new object; nil to generate one.
  package var id: ObjectID?
  package var handler: (LiveObject) throws -> Void

  package init(
    _ entity: JSONString, where key: JSONString, equals value: PredicateValue, id: ObjectID? = nil,
    handler: @escaping (LiveObject) throws -> Void = { _ in }
  ) {
    self.entity = entity
    self.key = key
    self.value = value
    self.id = id
    self.handler = handler
  }

  var data: SharedData { .value(entity: entity, key: key, value) }
}

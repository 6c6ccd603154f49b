package import JSON
package import ObjectMapping

/// What a closure does with a context, in pieces between which other queues run.
///
/// A closure of an application is one piece. A piece answers those that come next.
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

  /// Find-or-insert with a look and an insertion that others can come between.
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

  /// Find-or-insert as a closure does it that nothing comes between.
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

/// What find-or-insert looks for, and what it does with what it has.
package struct FindOrInsert {
  package let entity: JSONString
  package let key: JSONString
  package let value: PredicateValue
  /// The id of a new object; nil for one that is made.
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

internal import JSON

/// A save: the objects and the new ones that they refer to, each after those that it refers to.
struct SaveCall: Hashable, Sendable {
  /// One object of the save.
  struct Node: Hashable, Sendable {
    var collection: JSONString
    /// The index of the object in the call; nil for a referenced object.
    var index: Int?
    var object: CollectionObject
    /// The targets of its relations.
    var links: [JSONString: [Link]] = [:]
    var state = State.waiting
    /// Whether it was saved without all of its references, and must be saved again.
    var isIncomplete = false
    /// The entity to save.
    var entity = JSONObject()
    /// The request that saves it.
    var request: RequestNumber?
    /// The queued entry that the request replaces.
    var replaced: OfflineQueue.Entry?
  }

  enum Link: Hashable, Sendable {
    case id(JSONString)
    /// An object that has an id and is not saved implicitly.
    case object(CollectionObject, id: JSONString)
    case node(Int)
    case tag(JSONString)
  }

  /// The target of a tag.
  private enum Tagged: Hashable, Sendable {
    case id(JSONString)
    case node(Int)
  }

  enum State: Hashable, Sendable {
    case waiting, sent, saved
    case queued(CollectionError)
    case failed(CollectionError)

    var isFinished: Bool { self != .waiting && self != .sent }

    var error: CollectionError? {
      switch self {
      case .queued(let error), .failed(let error): error
      case .waiting, .sent, .saved: nil
      }
    }
  }

  var nodes: [Node] = []
  /// The nodes of the objects of the call.
  private(set) var roots: [Int] = []
  /// All nodes, each after the objects it refers to, except in a cycle.
  private(set) var order: [Int] = []
  private var places: [Int] = []
  private var tagged: [JSONString: Tagged] = [:]
  /// The number of finished nodes.
  var done = 0
  /// Whether this is the second save of an object that was saved without all of its references.
  var isAgain = false

  init(
    _ objects: [CollectionObject], in collection: CollectionDescription,
    _ description: (JSONString) -> CollectionDescription?
  ) throws(CollectionError) {
    for (index, object) in objects.enumerated() {
      if let tag = object.tag, case .node(let node)? = tagged[tag] {
        nodes[node].index = nodes[node].index ?? index
        roots.append(node)
      } else {
        roots.append(try add(object, collection, index: index, description: description))
      }
    }
    // In byte order: the error names the first one.
    let links = nodes.lazy.flatMap { node in
      node.links.keys.inByteOrder.flatMap { node.links[$0] ?? [] }
    }
    for link in links {
      guard case .tag(let tag) = link, tagged[tag] == nil else { continue }
      throw CollectionError(.noSuchTag(tag), "no object has the tag '\(tag)'")
    }
    arrange()
  }

  /// Adds a node for an object, and for the new objects that it refers to.
  private mutating func add(
    _ object: CollectionObject, _ collection: CollectionDescription, index: Int?,
    description: (JSONString) -> CollectionDescription?
  ) throws(CollectionError) -> Int {
    let node = nodes.count
    nodes.append(Node(collection: collection.name, index: index, object: object))
    if let tag = object.tag { tagged[tag] = .node(node) }
    for reference in collection.properties.compactMap({ $0.reference }) {
      var links: [Link] = []
      for end in object.related[reference.relation] ?? [] {
        links.append(try link(to: end, reference, description))
      }
      nodes[node].links[reference.relation] = links
    }
    return node
  }

  private mutating func link(
    to end: RelatedObject, _ reference: CollectionReference,
    _ description: (JSONString) -> CollectionDescription?
  ) throws(CollectionError) -> Link {
    switch end {
    case .id(let id): return .id(id)
    case .tag(let tag): return .tag(tag)
    case .object(let object):
      if let tag = object.tag, tagged[tag] != nil { return .tag(tag) }
      // An object with an id is saved only on request.
      if let id = object.id {
        if let tag = object.tag { tagged[tag] = .id(id) }
        return .object(object, id: id)
      }
      guard let collection = description(reference.collection) else {
        throw .notOpen(reference.collection)
      }
      return .node(try add(object, collection, index: nil, description: description))
    }
  }

  /// Sorts the nodes; an explicit stack supports chains of any length.
  private mutating func arrange() {
    places = Array(repeating: Int.max, count: nodes.count)
    var isMet = Array(repeating: false, count: nodes.count)
    for root in nodes.indices where !isMet[root] {
      isMet[root] = true
      var stack = [(node: root, targets: targets(of: root)[...])]
      while var top = stack.popLast() {
        guard let next = top.targets.popFirst() else {
          places[top.node] = order.count
          order.append(top.node)
          continue
        }
        stack.append(top)
        if !isMet[next] {
          isMet[next] = true
          stack.append((next, targets(of: next)[...]))
        }
      }
    }
  }

  /// The nodes that a node refers to, with its relations in byte order.
  private func targets(of node: Int) -> [Int] {
    nodes[node].links.keys.inByteOrder.flatMap { relation in
      (nodes[node].links[relation] ?? []).compactMap { link in
        switch link {
        case .node(let target): target
        case .tag(let tag): if case .node(let target)? = tagged[tag] { target } else { nil }
        case .id, .object: nil
        }
      }
    }
  }

  var isFinished: Bool { nodes.allSatisfy { $0.state.isFinished } }

  /// The nodes that must be saved before a node.
  func needs(of node: Int) -> [Int] { targets(of: node).filter { places[$0] < places[node] } }

  /// The ids of a relation of a node, nil for an object without an id.
  func ids(_ relation: JSONString, of node: Int) -> [JSONString?] {
    (nodes[node].links[relation] ?? []).map { link in
      switch link {
      case .id(let id), .object(_, let id): return id
      case .node(let target): return nodes[target].object.id
      case .tag(let tag):
        switch tagged[tag] {
        case .id(let id): return id
        case .node(let target): return nodes[target].object.id
        case nil: return nil
        }
      }
    }
  }

  /// The object of a node with the current ids of itself and of its related objects.
  func object(_ node: Int) -> CollectionObject {
    var object = nodes[node].object
    for (relation, links) in nodes[node].links where !links.isEmpty {
      object.related[relation] = links.map { link in
        switch link {
        case .id(let id): .id(id)
        case .object(let object, _): .object(object)
        case .node(let target): .object(self.object(target))
        case .tag(let tag): .tag(tag)
        }
      }
    }
    return object
  }
}

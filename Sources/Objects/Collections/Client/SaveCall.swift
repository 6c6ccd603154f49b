internal import JSON

/// A save: the objects and the new ones that they lead to, each behind those that it leads to.
struct SaveCall: Hashable, Sendable {
  /// One object that is saved.
  struct Node: Hashable, Sendable {
    var collection: JSONString
    /// Its place among the objects of the call; nil for one that another leads to.
    var index: Int?
    var object: CollectionObject
    /// What its relations lead to.
    var links: [JSONString: [Link]] = [:]
    var state = State.waiting
    /// Whether it was saved without all of its references, and has to be saved again.
    var isIncomplete = false
    /// What is saved of it.
    var entity = JSONObject()
    /// The request that saves it.
    var request: RequestNumber?
    /// What waited in the offline queue when that was sent, which it replaces.
    var replaced: OfflineQueue.Entry?
  }

  enum Link: Hashable, Sendable {
    case id(JSONString)
    /// An object that has an id and is not saved by the way.
    case object(CollectionObject, id: JSONString)
    case node(Int)
    case tag(JSONString)
  }

  /// What a tag stands for.
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
  /// All nodes, those behind an object before it; only in a circle one comes too late.
  private(set) var order: [Int] = []
  private var places: [Int] = []
  private var tagged: [JSONString: Tagged] = [:]
  /// How many nodes are finished.
  var done = 0
  /// Whether what was saved without all of its references is saved again.
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
    for link in nodes.lazy.flatMap({ $0.links.values.joined() }) {
      guard case .tag(let tag) = link, tagged[tag] == nil else { continue }
      throw CollectionError(.noSuchTag(tag), "no object has the tag '\(tag)'")
    }
    arrange()
  }

  /// Makes a node of an object, and of the new objects that it leads to.
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
      // What has an id is saved when somebody says so.
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

  /// Orders the nodes; a stack of its own does not care how long a chain is.
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

  /// The nodes that a node leads to, its relations in byte order.
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

  /// The nodes that have to be saved before a node.
  func needs(of node: Int) -> [Int] { targets(of: node).filter { places[$0] < places[node] } }

  /// The ids behind a relation of a node, nil for one that has none yet.
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

  /// The object of a node with the ids that it and the objects behind it have now.
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

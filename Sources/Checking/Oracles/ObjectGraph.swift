internal import Datastore
internal import JSON

/// Checks that all applications find the same objects, each once, when all conflicts are resolved
/// and nothing is left to replicate, and that relationships are consistent and reference existing
/// objects.
///
/// The expected objects are computed from the documents, by their entities.
struct ObjectGraph {
  func conclude(
    _ stores: [FinalStore], _ graphs: [FinalGraph], history: History
  ) -> [OracleFinding] {
    guard graphs.count == stores.count, let first = graphs.first else { return [] }
    var findings: [OracleFinding] = []
    let model = ModelFacts(first.model)
    for (place, graph) in graphs.enumerated() {
      let name = history.replicas[place]
      findings += unsettled(stores[place], model, name: name)
      findings += miscounted(stores[place], graph, model: model, name: name)
      // A graph that equals one without findings has no findings.
      if place > 0, graph == first { continue }
      findings += oneSided(graph, model, name: name)
      if place > 0 {
        findings += diverging(first, graph, leftName: history.replicas[0], rightName: name)
      }
    }
    return findings
  }

  /// Documents of objects that still have several live leaves.
  private func unsettled(
    _ store: FinalStore, _ model: ModelFacts, name: JSONString
  ) -> [OracleFinding] {
    store.documents.compactMap { document in
      let live = document.records.filter { !$0.deleted }
      guard live.count > 1,
        document.id.text == "CDTISMetaData"
          || live.contains(where: { model.entity(of: $0.body) != nil })
      else { return nil }
      return .graph(.inConflict(document.id, leaves: live.count), replica: name)
    }
  }

  /// Objects that are found twice, not at all, or without a document.
  private func miscounted(
    _ store: FinalStore, _ graph: FinalGraph, model: ModelFacts, name: JSONString
  ) -> [OracleFinding] {
    var findings: [OracleFinding] = []
    var counts: [JSONString: Int] = [:]
    for object in graph.objects {
      guard let id = object.id else { continue }
      counts[id, default: 0] += 1
      if counts[id] == 2 {
        findings.append(.graph(.repeated(id), replica: name))
      }
    }
    for document in store.documents {
      let live = document.records.filter { !$0.deleted }
      let isObject = live.contains { model.entity(of: $0.body) != nil }
      guard isObject != (counts[document.id.text] != nil) else { continue }
      findings.append(
        .graph(isObject ? .notFound(document.id) : .withoutDocument(document.id), replica: name))
    }
    return findings
  }

  private func oneSided(
    _ graph: FinalGraph, _ model: ModelFacts, name: JSONString
  ) -> [OracleFinding] {
    var objects: [JSONString: JSONValue] = [:]
    for object in graph.objects { if let id = object.id { objects[id] = object } }
    var findings: [OracleFinding] = []
    for object in graph.objects {
      guard let id = object.id, let entity = object.entityName.flatMap({ model[$0] }) else {
        continue
      }
      for property in entity.relationshipNames {
        // A target with the delete rule `noAction` is deleted without a change of its references,
        // which remain even if it is created again.
        guard let relationship = entity.relationships[property], !model.mayDangle(relationship)
        else { continue }
        for target in object.value(property).targets {
          guard let other = objects[target] else {
            findings.append(
              .graph(.dangling(id, property: property, target: target), replica: name))
            continue
          }
          guard let inverse = relationship.inverse, !other.value(inverse).targets.contains(id)
          else { continue }
          findings.append(
            .graph(
              .oneSided(id, property: property, target: target, inverse: inverse), replica: name))
        }
      }
    }
    return findings
  }

  private func diverging(
    _ left: FinalGraph, _ right: FinalGraph, leftName: JSONString, rightName: JSONString
  ) -> [OracleFinding] {
    var there: [JSONString: JSONValue] = [:]
    for object in right.objects { if let id = object.id { there[id] = object } }
    var findings: [OracleFinding] = []
    for object in left.objects {
      guard let id = object.id, there.removeValue(forKey: id) != object else { continue }
      findings.append(.graph(.different(id, from: leftName), replica: rightName))
    }
    for object in right.objects {
      guard let id = object.id, there[id] != nil else { continue }
      findings.append(.graph(.additional(id, lackedBy: leftName), replica: rightName))
    }
    return findings
  }
}

extension JSONValue {
  /// The id of a listed object.
  fileprivate var id: JSONString? { objectValue?["id"]?.textValue }
  fileprivate var entityName: JSONString? { objectValue?["entity"]?.textValue }

  fileprivate func value(_ property: JSONString) -> JSONValue {
    objectValue?["values"]?.objectValue?[property] ?? .null
  }
}

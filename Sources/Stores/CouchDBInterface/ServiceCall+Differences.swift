#if HTTP
  internal import Datastore
  internal import HTTPServer
  internal import JSON

  /// The comparison of revisions, for replicators.
  extension ServiceCall {
    func revsDiff() throws(ServiceError) -> ServerResponse {
      var members: [(JSONString, JSONValue)] = []
      for difference in try differences() {
        let missing = difference.missing.sorted { RevisionOrder.isBefore($0, $1) }
        var entry: JSONObject = ["missing": .array(missing.map { $0.json })]
        if !difference.possibleAncestors.isEmpty {
          entry["possible_ancestors"] = .array(difference.possibleAncestors.map { $0.json })
        }
        members.append((difference.id.text, .object(entry)))
      }
      return .json(200, .object(JSONObject(members)))
    }

    func missingRevs() throws(ServiceError) -> ServerResponse {
      let members = try differences().map { difference in
        (difference.id.text, JSONValue.array(difference.missing.map { $0.json }))
      }
      return .json(200, ["missing_revs": .object(JSONObject(members))])
    }

    private func differences() throws(ServiceError) -> [Difference] {
      try withDatabase { _ in }
      try requireJSONType()
      var queries: [RevisionQuery] = []
      for member in try object().members {
        guard let revs = member.value.arrayValue else {
          throw .badRequest("the revisions of a document must be a list")
        }
        queries.append(
          RevisionQuery(
            id: DocumentID(member.name),
            revs: try revs.map { (rev) throws(ServiceError) in
              try DocumentInput.revision(rev)
            }))
      }
      guard !queries.isEmpty else { return [] }
      let asked = queries
      let result = try withDatabase { (database) throws(ServiceError) in
        try database.perform(.revsDiff(asked))
      }
      guard case .revsDiff(let differences) = result else { throw .unexpected }
      return differences
    }
  }
#endif

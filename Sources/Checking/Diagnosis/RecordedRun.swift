package import Datastore
package import JSON
package import ReferenceDatastore

/// A run that was recorded as JSON Lines (`touchstone run --report jsonl=FILE`): the declarations of
/// the store, and each failure with the exchanges that led to it.
package struct RecordedRun {
  package let store: ImplementationDescription
  /// The failing vectors, in the order of the file.
  package let failures: [Failure]

  /// A failing vector.
  package struct Failure {
    package let vector: JSONString
    /// The exchanges up to the failing one, which may have no valid response; nil if the vector has
    /// steps other than operations of a store, whose operations a report does not contain.
    package let transcript: Transcript?
  }

  /// Reads the lines of a report.
  package init(lines: [JSONValue]) throws(DecodingFailure) {
    guard let header = lines.first?.objectValue, header["kind"] == "header",
      header["format"] == "touchstone-run", header["version"] == 1
    else {
      throw DecodingFailure(
        path: "line 1", message: "expected the header of a report of touchstone run, version 1")
    }
    guard lines.count > 1, lines.last?.objectValue?["kind"] == "footer" else {
      throw DecodingFailure(
        path: "line \(lines.count)",
        message: "the report is incomplete: expected a footer at the end")
    }
    let store = try Self.store(header["implementation"] ?? .null)
    self.store = store
    var failures: [Failure] = []
    var seen: Set<JSONString> = []
    for (place, line) in lines.enumerated().dropFirst() {
      let path = "line \(place + 1)"
      guard line.objectValue?["verdict"] == "fail", let object = line.objectValue else { continue }
      guard let id = object["id"]?.textValue, let witness = object["witness"]?.objectValue else {
        throw DecodingFailure(path: path, message: "expected a failing vector with id and witness")
      }
      guard seen.insert(id).inserted else {
        throw DecodingFailure(path: path, message: "the vector '\(id)' occurs twice")
      }
      failures.append(try Self.failure(id, witness, of: store, path: path))
    }
    self.failures = failures
  }

  private static func store(_ json: JSONValue) throws(DecodingFailure) -> ImplementationDescription
  {
    var members = (json.objectValue ?? JSONObject()).members.filter {
      !["sharedLayers", "deterministic", "crashes"].contains($0.name)
    }
    // A report lists all limits with the ending of the description.
    members = members.map { member in
      guard member.name == "limits", let limits = member.value.objectValue else { return member }
      let renamed = limits.members.map { limit in
        (
          JSONString(String(decoding: limit.name.utf8.dropLast("Max".utf8.count), as: UTF8.self)),
          limit.value
        )
      }
      return JSONObject.Member("limits", .object(JSONObject(renamed)))
    }
    var reader = try ObjectReader(
      .object(JSONObject(members.map { ($0.name, $0.value) })), path: "line 1.implementation")
    let store = try ImplementationDescription(declaredIn: &reader)
    try reader.finish()
    return store
  }

  private static func failure(
    _ id: JSONString, _ witness: JSONObject, of store: ImplementationDescription, path: String
  ) throws(DecodingFailure) -> Failure {
    var exchanges: [Transcript.Exchange] = []
    let steps = (witness["transcript"]?.arrayValue ?? []).map { step in
      (step.objectValue?["operation"] ?? .null, step.objectValue?["outcome"] ?? .null)
    }
    let last = (witness["operation"] ?? .null, witness["actual"] ?? .null)
    for (operation, outcome) in steps + [last] {
      // A replication run, or a generated operation, which a report does not contain in full.
      guard let members = operation.objectValue, members["op"] != nil, members["fill"] == nil,
        members["times"] == nil
      else { return Failure(vector: id, transcript: nil) }
      let done = try StoreOperation(operation, path: path)
      if outcome.objectValue?["unknown"] != nil {
        let transcript = Transcript(exchanges, unanswered: done, of: store)
        return Failure(vector: id, transcript: transcript)
      }
      exchanges.append(
        Transcript.Exchange(done, try Outcome(outcome, of: done.action, path: path)))
    }
    return Failure(vector: id, transcript: Transcript(exchanges, of: store))
  }
}

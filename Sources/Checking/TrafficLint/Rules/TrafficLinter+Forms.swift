internal import Datastore
internal import JSON

// The form of requests and responses.

extension TrafficLinter {
  func checkRequestForm(_ flow: Flow) {
    let request = flow.exchange.request
    checkMultipart(request, flow)
    for name: JSONString in ["open_revs", "atts_since"] {
      guard case .document = flow.endpoint, let text = flow.target.value(name) else { continue }
      let isAll = name == "open_revs" && text == "all"
      let items = (try? JSONValue.parse(text.utf8))?.arrayValue
      if !isAll, items?.allSatisfy({ $0.textValue != nil }) != true {
        report(
          .revisionList, "\(name) is \(Self.brief(.string(text)))",
          at: [(flow.place, "expected a JSON array of revision ids")])
      }
    }
    guard Self.needsJSON(flow) else { return }
    if let type = request.headers["content-type"], !Self.isJSON(type) {
      report(
        .requestType, "the Content-Type of a JSON body is \(type)",
        at: [(flow.place, "Content-Type: \(type)")])
    }
    guard !request.body.isUnreadable else { return }
    if let flaw = request.body.flaw {
      report(.requestJSON, "the body is not JSON: \(flaw)", at: [(flow.place, flaw)])
    } else if let flaw = Self.shapeFlaw(flow) {
      report(.requestShape, flaw, at: [(flow.place, flaw)])
    }
  }

  func checkResponseForm(_ flow: Flow) {
    guard flow.isSuccess, let response = flow.exchange.response, !response.body.isUnreadable,
      let isExpected = Self.expectedShape(flow)
    else { return }
    if let flaw = response.body.flaw {
      report(.responseJSON, "the body is not JSON: \(flaw)", at: [(flow.place, flaw)])
    } else if let value = response.body.json, !isExpected(value) {
      report(
        .responseJSON, "the body is \(value.kind), which the endpoint does not return",
        at: [(flow.place, "returns \(Self.brief(value))")])
    }
  }

  func checkRequestRevision(_ revision: RevisionID, of document: DocumentID, _ flow: Flow) {
    guard revision.generation == nil else { return }
    report(
      .requestRevision, "\(document): \(Self.brief(revision.json)) is not a valid revision id",
      at: [(flow.place, "sends \(Self.brief(revision.json))")])
  }

  func checkResponseRevision(_ revision: RevisionID, of document: DocumentID, _ flow: Flow) {
    guard revision.generation == nil else { return }
    report(
      .responseRevision, "\(document): \(Self.brief(revision.json)) is not a valid revision id",
      at: [(flow.place, "returns \(Self.brief(revision.json))")])
  }

  private func checkMultipart(_ request: Exchange.Request, _ flow: Flow) {
    guard let bytes = request.body.bytes, !request.headers.isEmpty, flow.method == "PUT",
      case .document = flow.endpoint
    else { return }
    let type = request.headers["content-type"] ?? ""
    let flaw: String?
    if MultipartReader.isMultipart(type) {
      flaw = MultipartReader(bytes, type: type).flaw
    } else if bytes.starts(with: "--".utf8), !type.utf8.isEmpty {
      flaw = "the body begins with a boundary, and the Content-Type is \(type)"
    } else {
      flaw = nil
    }
    if let flaw { report(.multipartForm, flaw, at: [(flow.place, flaw)]) }
  }

  /// Whether the body of a request must be JSON.
  private static func needsJSON(_ flow: Flow) -> Bool {
    switch flow.endpoint {
    case .revsDiff, .bulkDocs, .bulkGet: return flow.method == "POST"
    case .local: return flow.method == "PUT"
    case .document:
      guard flow.method == "PUT", flow.target.value("new_edits") == "false" else { return false }
      let bytes = flow.exchange.request.body.bytes ?? []
      return !MultipartReader.isMultipart(flow.exchange.request.headers["content-type"])
        && !bytes.starts(with: "--".utf8)
    case .database, .changes, .fullCommit, .purge, .other: return false
    }
  }

  private static func isJSON(_ type: JSONString) -> Bool {
    HeaderReader.lowerCase(type).utf8.starts(with: "application/json".utf8)
  }

  /// What is wrong with the shape of a JSON body; nil if nothing.
  private static func shapeFlaw(_ flow: Flow) -> String? {
    guard let body = flow.exchange.request.body.json else { return nil }
    switch flow.endpoint {
    case .revsDiff:
      let isShaped = body.objectValue?.members.allSatisfy { member in
        member.value.arrayValue?.allSatisfy { $0.textValue != nil } ?? false
      }
      return isShaped == true ? nil : "expected an object with a list of revision ids by document"
    case .bulkDocs:
      let docs = body.objectValue?["docs"]?.arrayValue
      return docs?.allSatisfy { $0.objectValue != nil } == true
        ? nil : "expected an object with a list docs of documents"
    case .bulkGet:
      let docs = body.objectValue?["docs"]?.arrayValue
      return docs?.allSatisfy { $0.objectValue?["id"]?.textValue != nil } == true
        ? nil : "expected an object with a list docs, each with an id"
    default: return body.objectValue == nil ? "expected an object" : nil
    }
  }

  /// Returns what the JSON of a successful response must be; nil if the endpoint has other bodies.
  private static func expectedShape(_ flow: Flow) -> ((JSONValue) -> Bool)? {
    let isObject: (JSONValue) -> Bool = { $0.objectValue != nil }
    switch flow.endpoint {
    case .revsDiff: return flow.method == "POST" ? isObject : nil
    case .bulkDocs: return flow.method == "POST" ? { $0.arrayValue != nil } : nil
    case .bulkGet:
      let type = flow.exchange.response?.headers["content-type"]
      guard flow.method == "POST", !MultipartReader.isMultipart(type) else { return nil }
      return { $0.objectValue?["results"]?.arrayValue != nil }
    case .local: return flow.method == "GET" || flow.method == "PUT" ? isObject : nil
    case .database: return flow.method == "GET" ? isObject : nil
    case .changes:
      let kind = flow.target.value("feed") ?? "normal"
      return kind == "normal" || kind == "longpoll" ? isObject : nil
    case .document, .fullCommit, .purge, .other: return nil
    }
  }
}

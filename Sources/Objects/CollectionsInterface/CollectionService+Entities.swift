#if HTTP
  internal import Collections
  internal import HTTPServer
  internal import JSON
  internal import Replication

  // Requests for entities: `/appdata/KID/COLLECTION` and below.

  extension CollectionService {
    func appdata(
      _ request: ServerRequest, _ path: ServicePath
    ) throws(CollectionServiceError) -> ServerResponse? {
      try authorize(request)
      let names = path.segments.dropFirst(2)
      guard let collection = names.first else { return try handshake(request) }
      guard names.count <= 2, let method = BackendRequest.Method(rawValue: request.method) else {
        throw .noResource
      }
      let name = names.dropFirst().first
      if name == Self.deltaSet {
        throw CollectionServiceError(
          400, "FeatureUnavailable", description: "the backend has no delta set",
          debug: "it stores no times")
      }
      let (parameters, fields) = try Self.parameters(path.parameters)
      var body: JSONValue?
      if method == .post || method == .put, !request.body.isEmpty {
        do throws(JSONError) { body = try JSONValue.parse(request.body) } catch {
          throw CollectionServiceError(
            400, "JSONParseError", description: "the body is not valid JSON",
            debug: JSONString("\(error)"))
        }
      }
      guard
        let answer = try perform(
          BackendRequest(
            0, method, collection: collection, path: name, parameters: parameters, body: body))
      else { return nil }
      return Self.response(answer, to: method, path, fields: fields)
    }

    private static let deltaSet: JSONString = "_deltaset"

    private func handshake(
      _ request: ServerRequest
    ) throws(CollectionServiceError) -> ServerResponse {
      guard request.method.utf8.elementsEqual("GET".utf8) else { throw .noResource }
      return .json(200, ["version": 1, "kinvey": .text("hello \(options.appKey)")])
    }

    // MARK: Parameters

    /// The parameters of the backend, and the names of the fields to return; nil for all.
    private static func parameters(
      _ parameters: Parameters
    ) throws(CollectionServiceError) -> (JSONObject, fields: [JSONString]?) {
      var object = JSONObject()
      var fields: [JSONString]?
      for (name, value) in parameters.all {
        if name == "fields" {
          fields = try Self.fields(value)
          continue
        }
        guard object[name] == nil else {
          throw .invalidQuery(JSONString("two parameters '\(name)'"))
        }
        do throws(JSONError) { object[name] = try JSONValue.parse(value.utf8) } catch {
          throw .invalidQuery(JSONString("\(name): \(error)"))
        }
      }
      return (object, fields)
    }

    private static func fields(_ list: JSONString) throws(CollectionServiceError) -> [JSONString] {
      var fields: [JSONString] = []
      for name in list.utf8.split(separator: UInt8(ascii: ",")) {
        guard let name = JSONString(validating: name), !name.utf8.contains(UInt8(ascii: ".")) else {
          throw CollectionServiceError(
            400, "FeatureUnavailable", description: "fields of nested objects are not offered")
        }
        fields.append(name)
      }
      return fields
    }

    // MARK: Responses

    private static func response(
      _ answer: BackendResponse, to method: BackendRequest.Method, _ path: ServicePath,
      fields: [JSONString]?
    ) -> ServerResponse {
      var body = answer.body
      guard 200..<300 ~= answer.status else {
        if var error = body.objectValue {
          error["debug"] = error["debug"] ?? ""
          body = .object(error)
        }
        return .json(Int(answer.status), body)
      }
      if let fields, method == .get { body = body.keeping(fields) }
      var response = ServerResponse.json(Int(answer.status), body)
      if answer.status == 201, let id = answer.body.objectValue?[EntityField.id]?.textValue {
        let place = path.segments + [id]
        response.headers.append(
          ("Location", "/" + place.map { $0.percentEncoded.string }.joined(separator: "/")))
      }
      return response
    }
  }

  extension JSONValue {
    /// The entities with their ids and these fields only; other bodies unchanged.
    fileprivate func keeping(_ fields: [JSONString]) -> JSONValue {
      if let entities = arrayValue { return .array(entities.map { $0.keeping(fields) }) }
      guard let entity = objectValue, entity[EntityField.id] != nil else { return self }
      return .object(
        JSONObject(
          entity.members.compactMap { member in
            fields.contains(member.name) || member.name == EntityField.id
              ? (member.name, member.value) : nil
          }))
    }
  }
#endif

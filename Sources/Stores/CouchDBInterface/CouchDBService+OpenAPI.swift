#if HTTP
  public import JSON

  extension CouchDBService {
    /// The offered endpoints as an OpenAPI document (3.0.3), for generators of clients and of requests.
    ///
    /// It has the paths, methods, parameters and kinds of bodies; statuses are not restricted.
    public static var openAPI: JSONValue {
      var paths: [(JSONString, JSONValue)] = []
      for route in Route.all {
        if case .no = route.support { continue }
        let pattern = JSONString(route.publicPattern)
        let operations = route.methods.filter { $0 != "COPY" }.map { method in
          (JSONString(method.lowercased()), operation(route, method))
        }
        paths.append((pattern, .object(JSONObject(operations))))
      }
      return [
        "openapi": "3.0.3",
        "info": [
          "title": "CouchDB's interface, as touchstone serve --http offers it", "version": "3.5",
        ], "paths": .object(JSONObject(paths)),
      ]
    }

    private static func operation(_ route: Route, _ method: String) -> JSONValue {
      var parameters = route.names.map { name -> JSONValue in
        ["name": .text(name), "in": "path", "required": true, "schema": ["type": "string"]]
      }
      for (name, schema) in query(of: route.pattern) where method != "DELETE" || name == "rev" {
        parameters.append(["name": .string(name), "in": "query", "schema": schema])
      }
      var object: JSONObject = [
        "operationId": .text("\(method) \(route.publicPattern)"),
        "responses": ["default": ["description": "JSON, or the content of an attachment"]],
        "parameters": .array(parameters),
      ]
      if method == "POST" || method == "PUT" {
        let isContent = route.pattern.hasSuffix("{id}/{name}")
        let type: JSONString = isContent ? "application/octet-stream" : "application/json"
        let schema: JSONValue =
          isContent ? ["type": "string", "format": "binary"] : body(of: route.pattern)
        object["requestBody"] = ["content": .object([type: ["schema": schema]])]
      }
      return .object(object)
    }

    private static let text: JSONValue = ["type": "string"]
    private static let flag: JSONValue = ["type": "boolean"]
    private static let count: JSONValue = ["type": "integer", "minimum": 0]

    /// The parameters of an endpoint, with their schemas.
    private static func query(of pattern: String) -> [(JSONString, JSONValue)] {
      switch pattern {
      case "/{db}/_changes":
        [
          ("since", text), ("limit", count), ("descending", flag), ("include_docs", flag),
          ("style", ["type": "string", "enum": ["main_only", "all_docs"]]),
          ("feed", ["type": "string", "enum": ["normal", "longpoll"]]),
          ("timeout", ["type": "integer", "minimum": 0, "maximum": 200]), ("conflicts", flag),
          ("filter", ["type": "string", "enum": ["_design", "_doc_ids"]]), ("doc_ids", text),
        ]
      case "/{db}/_all_docs", "/{db}/_design_docs", "/{db}/_local_docs":
        [
          ("limit", count), ("skip", count), ("descending", flag), ("include_docs", flag),
          ("startkey", text), ("endkey", text), ("key", text), ("keys", text),
          ("inclusive_end", flag),
        ]
      case "/{db}/{id}":
        [
          ("rev", text), ("revs", flag), ("revs_info", flag), ("conflicts", flag),
          ("deleted_conflicts", flag), ("meta", flag), ("attachments", flag), ("open_revs", text),
          ("latest", flag), ("atts_since", text), ("new_edits", flag), ("local_seq", flag),
        ]
      case "/{db}/{id}/{name}": [("rev", text)]
      case "/_uuids": [("count", ["type": "integer", "minimum": 1, "maximum": 1000])]
      case "/{db}/_bulk_get": [("revs", flag), ("latest", flag), ("attachments", flag)]
      default: []
      }
    }

    /// The schema of a body in JSON.
    private static func body(of pattern: String) -> JSONValue {
      let object: JSONValue = ["type": "object"]
      switch pattern {
      case "/{db}/_bulk_docs":
        return [
          "type": "object",
          "properties": ["docs": ["type": "array", "items": object], "new_edits": flag],
        ]
      case "/{db}/_bulk_get":
        return [
          "type": "object",
          "properties": [
            "docs": [
              "type": "array",
              "items": ["type": "object", "properties": ["id": text, "rev": text]],
            ]
          ],
        ]
      case "/{db}/_revs_diff", "/{db}/_missing_revs", "/{db}/_purge":
        return ["type": "object", "additionalProperties": ["type": "array", "items": text]]
      case "/{db}/_revs_limit": return ["type": "integer"]
      case "/{db}/_find", "/{db}/_explain":
        return [
          "type": "object",
          "properties": [
            "selector": object, "limit": ["type": "integer"], "skip": ["type": "integer"],
            "fields": ["type": "array", "items": text], "sort": ["type": "array"],
            "bookmark": text,
          ],
        ]
      case "/_replicate":
        return ["type": "object", "properties": ["source": text, "target": text]]
      default: return object
      }
    }
  }

  extension Route {
    /// The names in braces, each once.
    fileprivate var names: [String] {
      publicPattern.split(separator: "/").filter { $0.hasPrefix("{") }
        .map { String($0.dropFirst().dropLast()) }
    }

    /// The pattern with prefixes written out.
    fileprivate var publicPattern: String {
      switch pattern {
      case "/{db}/{local}": "/{db}/_local/{local}"
      default: pattern
      }
    }
  }
#endif

#if HTTP
  internal import Datastore
  internal import Digest
  internal import HTTPClient
  internal import HTTPPeer
  internal import JSON
  internal import Replication

  /// What a replication copies: the body of `_replicate`, or a document of `_replicator`.
  struct ReplicationRequest: Sendable {
    /// A database of this service, or of another server.
    enum Place: Sendable {
      case local(StoreName)
      case remote(ServerAddress, Credentials?)

      /// The place without credentials, for reports.
      var text: String {
        switch self {
        case .local(let name): "\(name)"
        case .remote(let address, _): "\(address)/"
        }
      }
    }

    let source: Place
    let target: Place
    var createsTarget = false
    var isContinuous = false
    var isCancel = false
    var filter: Filter?

    init(_ json: JSONValue) throws(ServiceError) {
      guard case .object(let object) = json else {
        throw .badRequest("Request body must be a JSON object")
      }
      guard let from = object["source"], let to = object["target"] else {
        throw .badRequest("source and target are needed")
      }
      source = try Self.place(from)
      target = try Self.place(to)
      createsTarget = object["create_target"] == true
      isContinuous = object["continuous"] == true
      isCancel = object["cancel"] == true
      if let ids = object["doc_ids"], ids != .null {
        guard let list = ids.arrayValue else { throw .badRequest("doc_ids is not a list") }
        filter = .documentIDs(list.compactMap { $0.textValue.map { DocumentID($0) } })
      }
      if let selector = object["selector"], selector != .null {
        do throws(DatastoreError) {
          filter = .selector(try FindSelector(SelectorDialect.translated(selector)))
        } catch {
          throw ServiceError(error)
        }
      }
      if object["filter"] != nil, object["filter"] != .null {
        throw .notImplemented("filter functions")
      }
    }

    private static func place(_ json: JSONValue) throws(ServiceError) -> Place {
      var (text, credentials): (JSONString?, Credentials?) = (json.textValue, nil)
      if let object = json.objectValue {
        text = object["url"]?.textValue
        if let basic = object["auth"]?.objectValue?["basic"]?.objectValue {
          credentials = Credentials(
            user: basic["username"]?.textValue?.string ?? "",
            password: basic["password"]?.textValue?.string ?? "")
        }
      }
      guard let text, !text.isEmpty else { throw .badRequest("source and target are databases") }
      guard text.utf8.starts(with: "http://".utf8) || text.utf8.starts(with: "https://".utf8) else {
        return .local(StoreName(text))
      }
      do throws(HTTPFailure) {
        let (address, found) = try ServerAddress.reading(text.string)
        guard !address.path.isEmpty else {
          throw .invalidAddress("expected the URL of a database")
        }
        return .remote(address, credentials ?? found)
      } catch {
        throw .badRequest(JSONString("\(error)"))
      }
    }

    /// The same for the same databases and the same filter.
    var id: String {
      let parts = [source.text, target.text, filter.map { $0.json.serialized() } ?? ""]
      return DigestAlgorithm.md5.digest(of: parts.joined(separator: "\n").utf8).hexadecimal
        + (isContinuous ? "+continuous" : "")
    }
  }
#endif

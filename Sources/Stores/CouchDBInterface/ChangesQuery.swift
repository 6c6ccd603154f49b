#if HTTP
  internal import Datastore
  internal import HTTPServer
  internal import JSON
  internal import Replication

  /// The parameters of a feed of changes.
  struct ChangesQuery: Sendable {
    enum Feed: Sendable { case normal, longpoll, continuous, eventSource }

    /// Which documents the feed has.
    enum Selection: Sendable {
      case all
      case ids(Set<DocumentID>)
      case design
      case selector(FindSelector)
    }

    var feed = Feed.normal
    var since: UpdateSequence?
    /// Whether the feed begins with changes after the request.
    var beginsNow = false
    var listsLeaves = false
    var selection = Selection.all
    var limit = Int64.max
    var isDescending = false
    var includesDocuments = false
    var options = ReadingOptions()
    /// Milliseconds between line feeds that keep a connection open; nil for none.
    var heartbeat: Int64?
    /// Milliseconds without a change after which a feed ends.
    var timeout: Int64 = 60_000
    /// The number of rows of which one has a sequence.
    var sequenceInterval: Int64 = 1

    init(_ call: ServiceCall) throws(ServiceError) {
      let isPost = call.request.method.utf8.elementsEqual("POST".utf8)
      let body = isPost ? try call.object() : [:]
      switch call.parameters["feed"] {
      case nil, "normal"?: break
      case "longpoll"?: feed = .longpoll
      case "continuous"?, "live"?: feed = .continuous
      case "eventsource"?: feed = .eventSource
      case _?:
        throw .badRequest("Supported `feed` types: normal, continuous, live, longpoll, eventsource")
      }
      try readSince(call)
      switch call.parameters["style"] {
      case nil, "main_only"?: break
      case "all_docs"?: listsLeaves = true
      case _?: throw .badRequest("style is neither main_only nor all_docs")
      }
      limit = try call.count("limit") ?? .max
      isDescending = try call.flag("descending")
      includesDocuments = try call.flag("include_docs")
      options.conflicts = try call.flag("conflicts")
      if try call.flag("attachments") { options.attachmentsSince = [] }
      if call.parameters["heartbeat"]?.utf8.elementsEqual("true".utf8) == true {
        heartbeat = 60_000
      } else if let milliseconds = try call.count("heartbeat") {
        guard milliseconds > 0 else {
          throw .badRequest("The heartbeat value should be a positive integer (in milliseconds).")
        }
        heartbeat = milliseconds
      }
      timeout = min(try call.count("timeout") ?? 60_000, 3_600_000)
      sequenceInterval = max(1, try call.count("seq_interval") ?? 1)
      selection = try Self.selection(call, body)
    }

    private mutating func readSince(_ call: ServiceCall) throws(ServiceError) {
      let text =
        call.parameters["last-event-id"] ?? call.request.headers["last-event-id"].map {
          JSONString($0)
        }
        ?? call.parameters["since"]
      guard let text else { return }
      guard !text.utf8.elementsEqual("now".utf8) else {
        beginsNow = true
        return
      }
      since = UpdateSequence(parameter: text)
    }

    private static func selection(
      _ call: ServiceCall, _ body: JSONObject
    ) throws(ServiceError) -> Selection {
      switch call.parameters["filter"] {
      case nil: return .all
      case "_doc_ids"?:
        var given = body["doc_ids"]
        if given == nil { given = try call.json("doc_ids") }
        guard let list = given?.arrayValue else {
          throw .badRequest("`doc_ids` filter parameter is not a list of doc ids.")
        }
        return .ids(Set(list.compactMap { $0.textValue.map { DocumentID($0) } }))
      case "_design"?: return .design
      case "_selector"?:
        guard let selector = body["selector"] else {
          throw .badRequest("`selector` filter parameter is required.")
        }
        do throws(DatastoreError) {
          return .selector(try FindSelector(selector))
        } catch {
          throw ServiceError(error)
        }
      case "_view"?: throw .notImplemented("the filter _view")
      case let name?:
        let parts = name.utf8.split(
          separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2 else {
          throw .badRequest("`filter` must be of the form `designname/filtername`")
        }
        throw .notImplemented("filter functions")
      }
    }
  }
#endif

#if HTTP
  internal import CCurl
  public import Datastore
  internal import Digest
  internal import JSON

  /// One connection to a server, which stays open between requests.
  ///
  /// libcurl verifies certificates, decodes gzip, and uses the proxies and the `netrc` file of the
  /// user. Redirects to another server are refused, so that credentials go nowhere else.
  public final class HTTPClient: HTTPTransport {
    /// The address of the server.
    public let address: ServerAddress
    private let handle: OpaqueHandle
    /// The credentials of the requests; nil for those of the `netrc` file.
    public let credentials: Credentials?
    private let limitSeconds: Int
    /// A shorter time limit of the next requests; nil for the usual one.
    package var limitMilliseconds: Int?

    /// Prepares a connection; the first request opens it.
    ///
    /// - Parameters:
    ///   - credentials: nil for those of the user's `netrc` file, if it has any for the host.
    ///   - limitSeconds: the time limit of a request, from 1.
    public init(
      _ address: ServerAddress, credentials: Credentials? = nil, limitSeconds: Int = 60
    ) throws(HTTPFailure) {
      guard Self.isReady, let handle = curl_easy_init() else { throw .outOfMemory }
      self.address = address
      self.handle = OpaqueHandle(handle)
      self.credentials = credentials
      self.limitSeconds = limitSeconds
    }

    public func another(limitSeconds: Int) throws(HTTPFailure) -> HTTPClient? {
      try HTTPClient(address, credentials: credentials, limitSeconds: limitSeconds)
    }

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    private static let redirectsMax = 5

    /// Sends a request, and returns the response.
    ///
    /// A body that is JSON is parsed, unless the request has a header `accept`; any other is in base64.
    /// Header names are in lower case.
    public func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
      var target = request
      for _ in 0...Self.redirectsMax {
        let received = try transfer(target)
        guard (300...399).contains(received.status), received.status != 304,
          let place = received.headers["location"]
        else {
          var response = try received.response(isRaw: request.headers["accept"] != nil)
          // Reports have the reasons of errors, and a server may name what it received.
          if response.status >= 400, let credentials {
            response.body = response.body.map { credentials.hidden(in: $0) }
          }
          return response
        }
        target = try redirected(request, to: place)
      }
      throw .invalidResponse("more than \(Self.redirectsMax) redirects")
    }

    private func redirected(
      _ request: HTTPRequest, to place: String
    ) throws(HTTPFailure) -> HTTPRequest {
      guard ["GET", "HEAD"].contains(request.method) else {
        throw .invalidResponse("a redirect of \(request.method) to \(place)")
      }
      var target = request
      var rest = place
      if rest.utf8.first != UInt8(ascii: "/") {
        let question = place.utf8.firstIndex(of: UInt8(ascii: "?")) ?? place.endIndex
        guard let (other, found) = try? ServerAddress.reading(String(place[..<question])),
          found == nil, other.isSameServer(as: address)
        else { throw .invalidResponse("a redirect to another server: \(place)") }
        rest = other.path + place[question...]
      }
      guard rest.utf8.starts(with: "\(address.path)/".utf8) else {
        throw .invalidResponse("a redirect out of \(address): \(place)")
      }
      rest.removeFirst(address.path.count)
      let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      target.path = JSONString(String(parts[0]))
      target.query = parts.count > 1 ? JSONString(String(parts[1])) : nil
      return target
    }

    private func transfer(_ request: HTTPRequest) throws(HTTPFailure) -> Received {
      var lines: [String] = []
      if request.headers["accept"] == nil { lines.append("Accept: application/json") }
      for header in request.headers.members {
        guard let value = header.value.textValue else { continue }
        lines.append("\(header.name): \(value)")
      }
      var body: [UInt8]?
      if let json = request.body {
        lines.append("Content-Type: application/json")
        body = json.serializedBytes()
      } else if let text = request.bytes {
        guard let bytes = Base64.decode(text.utf8) else {
          throw .invalidRequest("the body is not valid base64")
        }
        body = bytes
      } else if ["POST", "PUT"].contains(request.method) {
        lines.append("Content-Type: application/json")
        body = []
      }
      let query = request.query.map { "?\($0)" } ?? ""
      return try perform(
        request.method.string, target: "\(request.path)\(query)", lines: lines, body: body)
    }

    /// Sends a request as it is, and returns the response as it was received: redirects are not
    /// followed, and no content encoding is offered or decoded.
    public func send(_ request: RawHTTPRequest) throws(HTTPFailure) -> RawHTTPResponse {
      var lines = request.headers.map { name, value in
        // libcurl would leave a field without a value out.
        value.isEmpty ? "\(name);" : "\(name): \(value)"
      }
      // Without a length, a server waits for the body of these methods.
      let body = request.body ?? (["POST", "PUT"].contains(request.method) ? [] : nil)
      // libcurl would add a type of its own to a body.
      if body != nil,
        !request.headers.contains(where: { $0.name.utf8.elementsEqual("content-type".utf8) })
      {
        lines.append("Content-Type:")
      }
      let received = try perform(
        request.method, target: request.target, lines: lines, body: body, isRaw: true)
      return RawHTTPResponse(
        status: Int64(received.status), headers: received.fields, body: received.body)
    }

    private func perform(
      _ method: String, target: String, lines: [String], body: [UInt8]?, isRaw: Bool = false
    ) throws(HTTPFailure) -> Received {
      let curl = handle.pointer
      curl_easy_reset(curl)
      let received = Received()
      var list: UnsafeMutablePointer<curl_slist>?
      defer { curl_slist_free_all(list) }
      for line in ["Expect:"] + lines {
        guard let longer = curl_slist_append(list, line) else { throw .outOfMemory }
        list = longer
      }
      var codes = [
        touchstone_curl_set_text(curl, CURLOPT_URL, "\(address)\(target)"),
        touchstone_curl_set_text(curl, CURLOPT_CUSTOMREQUEST, method),
        touchstone_curl_set_number(curl, CURLOPT_NOBODY, method == "HEAD" ? 1 : 0),
        touchstone_curl_set_text(curl, CURLOPT_PROTOCOLS_STR, "http,https"),
        touchstone_curl_set_text(curl, CURLOPT_USERAGENT, "touchstone"),
        // A path is sent as it is: "." and ".." are document ids.
        touchstone_curl_set_number(curl, CURLOPT_PATH_AS_IS, 1),
        touchstone_curl_set_number(curl, CURLOPT_NOSIGNAL, 1),
        touchstone_curl_set_number(curl, CURLOPT_CONNECTTIMEOUT, min(10, limitSeconds)),
        touchstone_curl_set_number(
          curl, CURLOPT_TIMEOUT_MS, limitMilliseconds ?? limitSeconds * 1000),
        touchstone_curl_set_list(curl, CURLOPT_HTTPHEADER, list),
      ]
      if !isRaw { codes.append(touchstone_curl_set_text(curl, CURLOPT_ACCEPT_ENCODING, "")) }
      // Requests to this machine need no proxy.
      if address.isLoopback { codes.append(touchstone_curl_set_text(curl, CURLOPT_PROXY, "")) }
      if let credentials {
        codes.append(touchstone_curl_set_text(curl, CURLOPT_USERNAME, credentials.user))
        codes.append(touchstone_curl_set_text(curl, CURLOPT_PASSWORD, credentials.password))
      } else {
        codes.append(
          touchstone_curl_set_number(curl, CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue)))
      }
      let context = Unmanaged.passUnretained(received).toOpaque()
      codes.append(
        touchstone_curl_set_receiver(
          curl, CURLOPT_WRITEFUNCTION, CURLOPT_WRITEDATA, Received.takeBody, context))
      codes.append(
        touchstone_curl_set_receiver(
          curl, CURLOPT_HEADERFUNCTION, CURLOPT_HEADERDATA, Received.takeHeader, context))
      guard codes.allSatisfy({ $0 == CURLE_OK }) else {
        throw .invalidRequest("libcurl rejects it")
      }
      let end: CURLcode = withExtendedLifetime(received) {
        guard let body else { return curl_easy_perform(curl) }
        return body.withUnsafeBufferPointer { bytes in
          // Without a place, libcurl would read the body from the standard input.
          let place = UnsafeRawPointer(bytes.baseAddress) ?? UnsafeRawPointer(curl)
          let code = touchstone_curl_set_body(curl, place, curl_off_t(bytes.count))
          return code == CURLE_OK ? curl_easy_perform(curl) : code
        }
      }
      try Self.check(end, received)
      _ = touchstone_curl_status(curl, &received.status)
      return received
    }

    private static func check(_ code: CURLcode, _ received: Received) throws(HTTPFailure) {
      guard code != CURLE_OK else {
        // For libcurl, the end of the connection also ends the header.
        guard received.isHeaderComplete else { throw .interrupted("an incomplete header") }
        return
      }
      guard received.count <= Received.bytesMax else {
        throw .invalidResponse("more than \(Received.bytesMax >> 20) MiB")
      }
      let reason = String(cString: curl_easy_strerror(code))
      switch code {
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: throw .unknownHost(reason)
      case CURLE_OPERATION_TIMEDOUT: throw .timedOut(reason)
      case CURLE_COULDNT_CONNECT, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR,
        CURLE_SSL_CACERT_BADFILE:
        throw .notConnected(reason)
      case CURLE_OUT_OF_MEMORY: throw .outOfMemory
      case CURLE_BAD_CONTENT_ENCODING, CURLE_WEIRD_SERVER_REPLY: throw .invalidResponse(reason)
      case CURLE_UNSUPPORTED_PROTOCOL: throw .invalidResponse("not HTTP")
      case CURLE_URL_MALFORMAT: throw .invalidRequest(reason)
      default: throw .interrupted(reason)
      }
    }
  }

  /// A handle of libcurl, released with its owner.
  private final class OpaqueHandle {
    let pointer: UnsafeMutableRawPointer

    init(_ pointer: UnsafeMutableRawPointer) { self.pointer = pointer }

    deinit { curl_easy_cleanup(pointer) }
  }

  /// What arrived of a response.
  private final class Received {
    var status = 0
    var headers: [String: String] = [:]
    /// The same fields in their order, also those with a name that occurs twice.
    var fields: [(name: String, value: String)] = []
    var isHeaderComplete = false
    var body: [UInt8] = []
    /// The number of bytes that were sent, which may be too many.
    var count = 0

    static let bytesMax = 256 << 20

    static let takeBody: touchstone_curl_receiver = { bytes, size, count, context in
      guard let bytes, let context else { return 0 }
      let received = Unmanaged<Received>.fromOpaque(context).takeUnretainedValue()
      received.count += size * count
      guard received.count <= bytesMax else { return 0 }
      bytes.withMemoryRebound(to: UInt8.self, capacity: size * count) {
        received.body += UnsafeBufferPointer(start: $0, count: size * count)
      }
      return size * count
    }

    static let takeHeader: touchstone_curl_receiver = { bytes, size, count, context in
      guard let bytes, let context else { return 0 }
      let received = Unmanaged<Received>.fromOpaque(context).takeUnretainedValue()
      received.add(
        header: bytes.withMemoryRebound(to: UInt8.self, capacity: size * count) {
          String(decoding: UnsafeBufferPointer(start: $0, count: size * count), as: UTF8.self)
        })
      return size * count
    }

    private func add(header line: String) {
      // A response after an informational one, or after a proxy's, replaces it.
      if line.utf8.starts(with: "HTTP/".utf8) {
        (headers, fields, isHeaderComplete) = ([:], [], false)
      }
      if line.utf8.elementsEqual("\r\n".utf8) { isHeaderComplete = true }
      guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return }
      let value = line[line.utf8.index(after: colon)...]
      let text = String(value.drop { $0 == " " || $0 == "\t" }.prefix { !$0.isNewline })
      headers[line[..<colon].lowercased()] = text
      fields.append((line[..<colon].lowercased(), text))
    }

    /// - Parameter isRaw: whether a body is in `bytes` whatever its type.
    func response(isRaw: Bool) throws(HTTPFailure) -> HTTPResponse {
      var response = HTTPResponse(Int64(status))
      let names = headers.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      for name in names {
        if let value = headers[name] { response.headers[JSONString(name)] = .text(value) }
      }
      guard !body.isEmpty else { return response }
      let type = headers["content-type"] ?? ""
      guard type.utf8.starts(with: "application/json".utf8), !isRaw || status >= 400 else {
        response.bytes = JSONString(Base64.encode(body))
        return response
      }
      do throws(JSONError) {
        response.body = try JSONValue.parse(body)
      } catch {
        throw .invalidResponse("not valid JSON: \(error)")
      }
      return response
    }
  }
#endif

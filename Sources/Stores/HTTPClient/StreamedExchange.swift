#if HTTP
  internal import CCurl

  /// One exchange with a server whose response is passed on while it arrives, without being parsed.
  public final class StreamedExchange {
    /// Receives the response. All calls come from the thread of `perform`.
    public protocol Receiver: AnyObject {
      /// The status and the headers, by lower-case names.
      func begin(status: Int, headers: [(name: String, value: String)])
      /// Bytes of the body; returns false to cut the connection.
      func take(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool
    }

    private let url: String
    private let method: String
    private let headers: [(name: String, value: String)]
    private let body: [UInt8]

    /// Prepares an exchange.
    ///
    /// - Parameters:
    ///   - target: the path and the query, as they are sent.
    ///   - headers: those of the client that do not belong to its connection.
    public init(
      _ address: ServerAddress, method: String, target: String,
      headers: [(name: String, value: String)], body: [UInt8]
    ) {
      url = "\(address)\(target)"
      (self.method, self.headers, self.body) = (method, headers, body)
    }

    /// Performs the exchange, and returns when the response has ended.
    public func perform(_ receiver: any Receiver) throws(HTTPFailure) {
      guard let curl = curl_easy_init() else { throw .outOfMemory }
      defer { curl_easy_cleanup(curl) }
      var list: UnsafeMutablePointer<curl_slist>?
      defer { curl_slist_free_all(list) }
      for line in ["Expect:"] + headers.map({ "\($0.name): \($0.value)" }) {
        guard let longer = curl_slist_append(list, line) else { throw .outOfMemory }
        list = longer
      }
      let passing = Passing(receiver)
      let context = Unmanaged.passUnretained(passing).toOpaque()
      let codes = [
        touchstone_curl_set_text(curl, CURLOPT_URL, url),
        touchstone_curl_set_text(curl, CURLOPT_CUSTOMREQUEST, method),
        touchstone_curl_set_number(curl, CURLOPT_NOBODY, method == "HEAD" ? 1 : 0),
        touchstone_curl_set_text(curl, CURLOPT_PROTOCOLS_STR, "http,https"),
        touchstone_curl_set_number(curl, CURLOPT_PATH_AS_IS, 1),
        touchstone_curl_set_number(curl, CURLOPT_NOSIGNAL, 1),
        touchstone_curl_set_number(curl, CURLOPT_CONNECTTIMEOUT, 10),
        touchstone_curl_set_text(curl, CURLOPT_PROXY, ""),
        touchstone_curl_set_list(curl, CURLOPT_HTTPHEADER, list),
        touchstone_curl_set_receiver(
          curl, CURLOPT_WRITEFUNCTION, CURLOPT_WRITEDATA, Passing.takeBody, context),
        touchstone_curl_set_receiver(
          curl, CURLOPT_HEADERFUNCTION, CURLOPT_HEADERDATA, Passing.takeHeader, context),
      ]
      guard codes.allSatisfy({ $0 == CURLE_OK }) else {
        throw .invalidRequest("libcurl rejects it")
      }
      let hasBody = !body.isEmpty || ["POST", "PUT"].contains(method)
      let end: CURLcode = withExtendedLifetime(passing) {
        guard hasBody else { return curl_easy_perform(curl) }
        return body.withUnsafeBufferPointer { bytes in
          let place = UnsafeRawPointer(bytes.baseAddress) ?? UnsafeRawPointer(curl)
          let code = touchstone_curl_set_body(curl, place, curl_off_t(bytes.count))
          return code == CURLE_OK ? curl_easy_perform(curl) : code
        }
      }
      guard end != CURLE_OK else {
        passing.beginOnce()
        return
      }
      let reason = String(cString: curl_easy_strerror(end))
      switch end {
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT: throw .notConnected(reason)
      default: throw .interrupted(reason)
      }
    }

    /// The state of one response.
    private final class Passing {
      private let receiver: any Receiver
      private var status = 0
      private var headers: [(name: String, value: String)] = []
      private var isBegun = false

      init(_ receiver: any Receiver) { self.receiver = receiver }

      func beginOnce() {
        guard !isBegun else { return }
        isBegun = true
        receiver.begin(status: status, headers: headers)
      }

      static let takeBody: touchstone_curl_receiver = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        let passing = Unmanaged<Passing>.fromOpaque(context).takeUnretainedValue()
        passing.beginOnce()
        let isTaken = bytes.withMemoryRebound(to: UInt8.self, capacity: size * count) {
          passing.receiver.take(UnsafeBufferPointer(start: $0, count: size * count))
        }
        return isTaken ? size * count : 0
      }

      static let takeHeader: touchstone_curl_receiver = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        let passing = Unmanaged<Passing>.fromOpaque(context).takeUnretainedValue()
        passing.add(
          header: bytes.withMemoryRebound(to: UInt8.self, capacity: size * count) {
            String(decoding: UnsafeBufferPointer(start: $0, count: size * count), as: UTF8.self)
          })
        return size * count
      }

      private func add(header line: String) {
        if line.utf8.starts(with: "HTTP/".utf8) {
          headers = []
          let words = line.split(separator: " ")
          status = words.count > 1 ? Int(words[1].prefix(3)) ?? 0 : 0
          return
        }
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return }
        let value = line[line.utf8.index(after: colon)...]
        headers.append(
          (
            line[..<colon].lowercased(),
            String(value.drop { $0 == " " || $0 == "\t" }.prefix { !$0.isNewline })
          ))
      }
    }
  }
#endif

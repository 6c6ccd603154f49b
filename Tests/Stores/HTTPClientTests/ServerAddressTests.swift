#if HTTP
  import HTTPClient
  import Testing

  @Suite struct ServerAddressTests {
    @Test(arguments: [
      ("http://127.0.0.1:5984", "http://127.0.0.1:5984", true),
      ("http://localhost:5984/", "http://localhost:5984", true),
      ("http://[::1]:5984/couch/", "http://[::1]:5984/couch", true),
      ("https://example.com", "https://example.com:443", false),
      ("http://127.0.0.1.example.com", "http://127.0.0.1.example.com:80", false),
      ("http://128.0.0.1", "http://128.0.0.1:80", false),
    ])
    func isRead(text: String, written: String, isLoopback: Bool) throws {
      let (address, credentials) = try ServerAddress.reading(text)
      #expect("\(address)" == written)
      #expect(address.isLoopback == isLoopback)
      #expect(credentials == nil)
    }

    @Test func credentialsAreTakenOut() throws {
      let (address, credentials) = try ServerAddress.reading("http://us%40er:p%2Fw@127.0.0.1:1/a")
      #expect("\(address)" == "http://127.0.0.1:1/a")
      #expect(credentials != nil)
    }

    @Test(arguments: [
      "", "127.0.0.1:5984", "ftp://127.0.0.1", "http://", "http://a b", "http://127.0.0.1:99999",
      "http://127.0.0.1/?a", "http://127.0.0.1/#a", "file:///etc/passwd",
    ])
    func isRefused(text: String) {
      #expect(throws: HTTPFailure.self) { try ServerAddress.reading(text) }
    }
  }
#endif

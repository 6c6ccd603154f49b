#if HTTP
  internal import JSON
  internal import Replication

  /// The decoded path and parameters of a request.
  struct ServicePath {
    /// The segments without the empty one after a final slash.
    let segments: [JSONString]
    let parameters: Parameters

    init(_ target: String) throws(CollectionServiceError) {
      let halves = target.utf8.split(
        separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
      var parts = halves[0].split(
        separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
      ).dropFirst()
      if parts.last?.isEmpty ?? false { parts.removeLast() }
      var segments: [JSONString] = []
      for part in parts {
        guard let segment = JSONString(validating: part)?.percentDecoded else {
          throw CollectionServiceError(
            400, "BadRequest", description: "the path has an invalid escape")
        }
        segments.append(segment)
      }
      let query = halves.count > 1 ? JSONString(validating: halves[1]) : ""
      guard let query, let parameters = Parameters(query: query) else {
        throw .invalidQuery("an invalid escape")
      }
      self.segments = segments
      self.parameters = parameters
    }
  }
#endif

internal import JSON
internal import WireConformance

/// A request with the parts of its target.
struct WireCall {
  let request: WireRequest
  /// The parts of the path, not decoded.
  let segments: [String]
  private let parameters: [(name: String, value: String)]

  init(_ request: WireRequest) {
    self.request = request
    segments = request.path.string.split(separator: "/").map(String.init)
    parameters = (request.query?.string ?? "").split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
  }

  var method: String { request.method.string }

  /// The value of a parameter of the query, percent-encoded; nil if absent.
  func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// The request without a parameter of the query.
  func without(_ name: String) -> WireRequest {
    var request = request
    let kept = parameters.filter { $0.name != name }.map { "\($0.name)=\($0.value)" }
    request.query = kept.isEmpty ? nil : JSONString(kept.joined(separator: "&"))
    return request
  }
}

#if HTTP
  extension CouchDBService {
    /// All endpoints of CouchDB and whether a service offers them, as a table in Markdown.
    public static var endpointTable: String {
      var lines = ["| endpoint | methods | offered |", "|---|---|---|"]
      for route in Route.all {
        let support =
          switch route.support {
          case .yes: "yes"
          case .partly(let lack): "partly: \(lack)"
          case .no: "no (501)"
          }
        let methods = route.methods.map { "`\($0)`" }.joined(separator: " ")
        lines.append("| `\(route.pattern)` | \(methods) | \(support) |")
      }
      return lines.joined(separator: "\n") + "\n"
    }
  }
#endif

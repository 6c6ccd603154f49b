/// The place for the files of an implementation.
enum StorageChoice: Equatable, CustomStringConvertible {
  case memory
  case disk(String)
  /// A folder of a runner, which several processes may use at once.
  case shared(String)

  init(_ text: String, _ manual: Manual) throws(UsageError) {
    if text == "memory" {
      self = .memory
    } else if text.utf8.starts(with: "disk:".utf8), text.utf8.count > "disk:".utf8.count {
      self = .disk(String(text.utf8.dropFirst("disk:".utf8.count)) ?? "")
    } else {
      throw UsageError(
        "--storage '\(text)': expected memory or disk:DIR", manual)
    }
  }

  var description: String {
    switch self {
    case .memory: "memory"
    case .disk(let folder), .shared(let folder): "disk:\(folder)"
    }
  }

  /// Returns the place for the implementation of a worker, counted from 0: the first worker uses
  /// the place itself, each other worker a folder in it.
  func place(ofWorker worker: Int) -> StorageChoice {
    guard case .disk(let folder) = self, worker > 0 else { return self }
    return .disk("\(folder)/worker-\(worker + 1)")
  }
}

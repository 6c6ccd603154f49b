/// Where an implementation keeps its files.
enum StorageChoice: Equatable, CustomStringConvertible {
  case memory
  case disk(String)

  init(_ text: String) throws(UsageError) {
    if text == "memory" {
      self = .memory
    } else if text.utf8.starts(with: "disk:".utf8), text.utf8.count > "disk:".utf8.count {
      self = .disk(String(text.utf8.dropFirst("disk:".utf8.count)) ?? "")
    } else {
      throw UsageError(
        "--storage is memory or disk:DIR, not '\(text)'", RunCommand.manual)
    }
  }

  var description: String {
    switch self {
    case .memory: "memory"
    case .disk(let folder): "disk:\(folder)"
    }
  }

  /// Where the implementation of a worker keeps its files, counted from 0: the first one has the
  /// place itself, each other one a folder in it.
  func place(ofWorker worker: Int) -> StorageChoice {
    guard case .disk(let folder) = self, worker > 0 else { return self }
    return .disk("\(folder)/worker-\(worker + 1)")
  }
}

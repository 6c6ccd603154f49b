internal import Datastore
internal import JSON

/// One step of a path between stores.
enum SessionMove: Hashable {
  case write(store: Int, StoreAction, word: String)
  case replicate(source: Int, target: Int)

  /// The move in words for an id.
  func word(_ names: [StoreName]) -> String {
    switch self {
    case .write(let store, _, let word): "\(names[store])-\(word)"
    case .replicate(let source, let target): "\(names[source])\(names[target])"
    }
  }

  /// The move in words for a sentence.
  func phrase(_ names: [StoreName]) -> String {
    switch self {
    case .write(let store, let action, let word):
      switch word {
      case "update2", "update3": "\(names[store]) updates a losing leaf"
      case "delete2", "delete3": "\(names[store]) deletes a losing leaf"
      default: "\(names[store]) \(action.name)s"
      }
    case .replicate(let source, let target): "\(names[source]) to \(names[target])"
    }
  }
}

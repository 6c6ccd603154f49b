import Datastore
import JSON
import Testing

@testable import ReferenceDatastore

/// New content with the minimum of members.
func data(_ name: JSONString, _ content: String, type: JSONString? = "text/plain")
  -> RevisionAttachment
{
  RevisionAttachment(name, .data(Base64.encode(Array(content.utf8))), type: type)
}

/// Unchanged content.
func stub(_ name: JSONString) -> RevisionAttachment { RevisionAttachment(name, .stub) }

/// The digest of content.
func digest(_ content: String) -> JSONString { ContentDigest.of(Array(content.utf8)) }

extension Model {
  /// The revision written by an action, which must succeed.
  func write(_ action: StoreAction) throws -> RevisionID {
    let outcome = perform(action)
    switch outcome {
    case .ok(.written(_, let rev)), .ok(.resolved(let rev, _)): return rev
    default: throw Unexpected(outcome: outcome)
    }
  }
}

struct Unexpected: Error {
  let outcome: Outcome
}

public import Datastore
public import JSON
public import Scenarios

/// One rule of the contract, in one sentence.
public struct Clause: Hashable, Sendable, Identifiable {
  public let id: ClauseID
  /// The requirement level.
  public let level: Level
  /// The rule.
  public let text: JSONString
  /// The source of the rule.
  public let source: JSONString
  /// The accepted outcomes: one, or several where good stores differ.
  public let status: Status
  /// The stores that the clause binds.
  public let binds: Binding
  /// The behaviour of products that differ, by name and version, in the order of the file.
  public let observed: [Observation]
  /// What public sources say about it; nil for clauses that bind no layer.
  public let basis: Basis?

  /// Creates a clause.
  public init(
    id: ClauseID, level: Level, text: JSONString, source: JSONString, status: Status = .agreed,
    binds: Binding = .contract, observed: [Observation] = [], basis: Basis? = nil
  ) {
    self.id = id
    self.level = level
    self.text = text
    self.source = source
    self.status = status
    self.binds = binds
    self.observed = observed
    self.basis = basis
  }

  /// The requirement level of a rule.
  public enum Level: String, CaseIterable, Sendable {
    /// A requirement.
    case must = "MUST"
    /// A recommendation: a failure is a deviation.
    case should = "SHOULD"
    /// A permission.
    case may = "MAY"
    /// The behaviour of a product, which no store has to follow.
    case observed = "OBSERVED"
  }

  /// The stores that a rule binds.
  public enum Binding: Hashable, Sendable {
    /// Any store of the family: a product was observed to follow the rule, and a request of the
    /// replication protocol or of the document API needs it.
    case family(Evidence)
    /// Stores that implement this contract; other stores of the family may differ.
    case contract
    /// Stores that offer a layer above documents: objects, contexts, stacks or collections.
    case layer

    /// The name of the binding in files and reports.
    public var name: String {
      switch self {
      case .family: "family"
      case .contract: "contract"
      case .layer: "layer"
      }
    }
  }

  /// The reasons why a clause binds the whole family.
  public struct Evidence: Hashable, Sendable {
    /// The products that were observed to follow the rule, by name and version; at least one.
    public let keptBy: [JSONString]
    /// The requests that need the rule; at least one.
    public let neededBy: [Request]

    /// Creates the evidence of a clause.
    public init(keptBy: [JSONString], neededBy: [Request]) {
      self.keptBy = keptBy
      self.neededBy = neededBy
    }
  }

  /// A request of CouchDB's replication protocol, or of its document API.
  public enum Request: String, CaseIterable, Sendable {
    /// Reads the properties of a database.
    case info = "GET /db"
    /// Reads or writes a checkpoint.
    case local = "/db/_local/id"
    /// Reads the feed of changes.
    case changes = "GET /db/_changes"
    /// Asks which revisions are missing.
    case revsDiff = "POST /db/_revs_diff"
    /// Reads revisions with their histories.
    case bulkGet = "POST /db/_bulk_get"
    /// Writes several revisions.
    case bulkDocs = "POST /db/_bulk_docs"
    /// Reads a document.
    case read = "GET /db/id"
    /// Writes a document.
    case write = "PUT /db/id"
    /// Deletes a document.
    case delete = "DELETE /db/id"
    /// Creates a document with an id of the server.
    case post = "POST /db"
    /// Lists all documents.
    case list = "GET /db/_all_docs"
    /// Reads or writes an attachment.
    case attachment = "/db/id/attachment"
    /// Compacts a database.
    case compact = "POST /db/_compact"
    /// Purges revisions.
    case purge = "POST /db/_purge"
    /// Limits the revisions of a document.
    case revsLimit = "PUT /db/_revs_limit"
    /// Removes a database.
    case remove = "DELETE /db"
  }

  /// The number of accepted outcomes.
  public enum Status: Hashable, Sendable {
    /// One accepted outcome.
    case agreed
    /// Several accepted outcomes.
    case ambiguous(accepted: [JSONString])
  }

  /// The behaviour of a product.
  public struct Observation: Hashable, Sendable {
    /// The name and the version of the product.
    public let product: JSONString
    /// The behaviour, in a sentence.
    public let behaviour: JSONString

    /// Creates an observation.
    public init(product: JSONString, behaviour: JSONString) {
      self.product = product
      self.behaviour = behaviour
    }
  }
}

extension Clause {
  /// The letters before the hyphen of the id, such as `TREE`: the family of the clause.
  public var family: JSONString { id.family }

  /// Whether more than one outcome is accepted.
  public var isAmbiguous: Bool {
    if case .ambiguous = status { true } else { false }
  }
}

extension ClauseID {
  /// The bytes before the first hyphen, or all of them.
  package var family: JSONString {
    let bytes = text.utf8.prefix { $0 != UInt8(ascii: "-") }
    return JSONString(String(decoding: Array(bytes), as: UTF8.self))
  }

  /// Whether the id is upper-case letters, a hyphen and three digits.
  var isWellFormed: Bool {
    let bytes = Array(text.utf8)
    let letters = bytes.prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    let rest = bytes.dropFirst(letters.count)
    return !letters.isEmpty && rest.count == 4 && rest.first == UInt8(ascii: "-")
      && rest.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}

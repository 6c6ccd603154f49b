public import JSON

/// Why a store refused an operation; an operation that fails leaves no trace.
///
/// The list is closed. Only the kind and its fields count; messages are for people.
public struct DatastoreError: Error, Hashable, Sendable {
  public var kind: Kind
  /// For people, never compared by a vector.
  public var message: String
  /// Which write of a `batch` failed, counted from 0.
  public var write: Int64?

  public init(_ kind: Kind, _ message: String = "", write: Int64? = nil) {
    self.kind = kind
    self.message = message
    self.write = write
  }

  public enum Kind: Hashable, Sendable {
    /// The store's name is not `[a-z][a-z0-9_$()+/-]*`.
    case badName
    /// The document id is empty, holds NUL, or begins with `_` outside `_design/`.
    case badID
    /// A revision id or a path is not one.
    case badRevision
    /// The body is not an object, or has a top-level member that begins with `_`.
    case badBody
    /// The sequence is not one of this store.
    case badSequence
    /// The call itself makes no sense; the path names the argument.
    case badRequest(path: String)
    /// The revision is not a leaf, or the document exists already.
    case conflict
    case notFound(Absence)
    /// The store's validation refuses the write.
    case forbidden
    case missingStub
    case badAttachment
    /// A model, an object or its document is none, or they do not fit; what is wrong is a word of
    /// `Vectors/README.md`, and the name is that of the property, entity or class that is meant.
    case badObject(what: String, name: JSONString? = nil)
    /// An operator of a selector stands where it cannot, or has an operand that it does not take.
    case badSelector(operator: String, path: String)
    /// A declared limit was exceeded; the limit is in the unit of its declaration.
    case tooLarge(limit: Int64)
    /// The store is not open.
    case noSuchStore
    /// The implementation does not offer this.
    case unsupported(what: String)
    case storage(StorageFault)
    /// Another user of the store holds it.
    case busy
  }

  /// What is absent.
  public enum Absence: String, CaseIterable, Sendable {
    /// Neither the document nor the revision was ever here.
    case missing
    /// All leaves of the document are deleted.
    case deleted
    /// The revision is known, and its body is not.
    case bodyMissing
  }

  /// What is wrong with the storage under a store.
  public enum StorageFault: String, CaseIterable, Sendable {
    case full
    case io
    case corrupt
    case newerVersion
    case readOnly
  }
}

extension DatastoreError: CustomStringConvertible {
  public var description: String {
    let place = write.map { " (write \($0))" } ?? ""
    return message.isEmpty ? "\(kind)\(place)" : "\(kind)\(place): \(message)"
  }
}

extension DatastoreError.Kind: CustomStringConvertible {
  public var description: String {
    switch self {
    case .badRequest(let path): "badRequest(\(path))"
    case .notFound(let absence): "notFound(\(absence.rawValue))"
    case .tooLarge(let limit): "tooLarge(\(limit))"
    case .unsupported(let what): "unsupported(\(what))"
    case .badObject(let what, let name): "badObject(\(what)\(name.map { " \($0)" } ?? ""))"
    case .badSelector(let name, let path): "badSelector(\(name) at \(path))"
    case .storage(let fault): "storage(\(fault.rawValue))"
    default: name
    }
  }

  /// The kind without its field, as JSON spells it.
  public var name: String {
    switch self {
    case .badName: "badName"
    case .badID: "badID"
    case .badRevision: "badRevision"
    case .badBody: "badBody"
    case .badSequence: "badSequence"
    case .badRequest: "badRequest"
    case .conflict: "conflict"
    case .notFound: "notFound"
    case .forbidden: "forbidden"
    case .missingStub: "missingStub"
    case .badAttachment: "badAttachment"
    case .badObject: "badObject"
    case .badSelector: "badSelector"
    case .tooLarge: "tooLarge"
    case .noSuchStore: "noSuchStore"
    case .unsupported: "unsupported"
    case .storage: "storage"
    case .busy: "busy"
    }
  }
}

public import JSON

/// The error of a rejected operation; an operation that fails has no effect.
///
/// The list of kinds is closed. Only the kind and its fields are compared; messages are for people.
public struct DatastoreError: Error, Hashable, Sendable {
  /// The kind of the error with its fields.
  public var kind: Kind
  /// A message for people, never compared by a vector.
  public var message: String
  /// The index of the failed write of a `batch`, counted from 0.
  public var write: Int64?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - message: a text for people; empty without one.
  ///   - write: the index of the failed write of a `batch`, counted from 0.
  public init(_ kind: Kind, _ message: String = "", write: Int64? = nil) {
    self.kind = kind
    self.message = message
    self.write = write
  }

  /// The kinds of errors, each with the fields that are compared.
  public enum Kind: Hashable, Sendable {
    /// The store's name is not `[a-z][a-z0-9_$()+/-]*`.
    case badName
    /// The document id is empty, contains NUL, or begins with `_` outside `_design/`.
    case badID
    /// A revision id or a path is not valid.
    case badRevision
    /// The body is not an object, or has a top-level member that begins with `_`.
    case badBody
    /// The sequence does not belong to this store.
    case badSequence
    /// The call itself is not valid; the path names the argument.
    case badRequest(path: String)
    /// The revision is not a leaf, or the document already exists.
    case conflict
    /// The document, the revision or its body is not there.
    case notFound(Absence)
    /// The validation function of the store rejects the write.
    case forbidden
    /// An attachment has no bytes, and the store does not have its content.
    case missingStub
    /// An attachment is malformed, or its bytes differ from the claims about them.
    case badAttachment
    /// A model, an object or its document is not valid, or they do not match. `what` is a word
    /// defined in `Vectors/README.md`, and `name` is the property, entity or class concerned.
    case badObject(what: String, name: JSONString? = nil)
    /// An operator of a selector is misplaced or has an invalid operand.
    case badSelector(operator: String, path: String)
    /// A declared limit was exceeded; `limit` has the unit of its declaration.
    case tooLarge(limit: Int64)
    /// The store is not open.
    case noSuchStore
    /// The implementation does not offer the operation or argument.
    case unsupported(what: String)
    /// The store cannot read or write its files.
    case storage(StorageFault)
    /// Another user has the store open.
    case busy
  }

  /// The kind of absence.
  public enum Absence: String, CaseIterable, Sendable {
    /// Neither the document nor the revision was ever stored here.
    case missing
    /// All leaves of the document are deleted.
    case deleted
    /// The revision is known, but its body is not stored.
    case bodyMissing
  }

  /// The kind of a storage failure.
  public enum StorageFault: String, CaseIterable, Sendable {
    /// No space is left on the device.
    case full
    /// Reading or writing failed.
    case io
    /// The files of the store are damaged.
    case corrupt
    /// A newer version of the store wrote the files.
    case newerVersion
    /// The files may not be written.
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

  /// The kind without its field, as encoded in JSON.
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

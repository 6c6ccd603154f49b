internal import Datastore
public import JSON

extension Clause {
  /// What public sources say about a rule of a layer above documents.
  public struct Basis: Hashable, Sendable {
    /// The result of the comparison with the sources.
    public let state: State
    /// The sources that were read: URLs, files as `OWNER/REPO@COMMIT:PATH`, or titles; a place in
    /// parentheses may follow.
    public let sources: [JSONString]
    /// The options of operations that select the other behaviour.
    public let options: [JSONString]
    /// The reason of the state, or what the sources leave open; nil if the sources say it all.
    public let note: JSONString?

    /// Creates a basis.
    public init(
      state: State, sources: [JSONString] = [], options: [JSONString] = [], note: JSONString? = nil
    ) {
      self.state = state
      self.sources = sources
      self.options = options
      self.note = note
    }

    /// The result of a comparison with public sources.
    public enum State: String, CaseIterable, Sendable {
      /// A source independent of this project says it.
      case confirmed
      /// A guide from which this layer was made says it.
      case guide
      /// A format or a definition of this project, which no other source can confirm.
      case ruling
      /// A source says otherwise.
      case contradicted
      /// No source was found.
      case unknown
    }

    /// Whether a MUST may rest on it: on a source, a guide, a ruling, or an option for both.
    public var carriesRequirement: Bool {
      switch state {
      case .confirmed, .guide, .ruling: true
      case .contradicted, .unknown: !options.isEmpty
      }
    }
  }

  /// Whether its level has a basis; true for clauses that bind no layer.
  package var isWellFounded: Bool {
    guard binds == .layer else { return true }
    guard let basis else { return false }
    return level != .must || basis.carriesRequirement
  }
}

extension Corpus {
  /// The clauses of layers without a basis, or with a level that their basis does not carry.
  package var unfoundedClauses: [Clause] { clauses.filter { !$0.isWellFounded } }
}

extension Clause.Basis {
  /// The basis as `clauses.json` contains it.
  var json: JSONValue {
    var members: [(JSONString, JSONValue)] = [("state", .text(state.rawValue))]
    for (name, texts) in [("sources", sources), ("options", options)] where !texts.isEmpty {
      members.append((JSONString(name), .array(texts.map { .string($0) })))
    }
    if let note { members.append(("note", .string(note))) }
    return .object(JSONObject(members))
  }

  /// Reads a basis; a state that rests on sources names them, any other has a note.
  init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    state = try reader.choice("state")
    sources = try Self.texts("sources", &reader)
    options = try Self.texts("options", &reader)
    note = try reader.optionalText("note")
    let needsSources = state == .confirmed || state == .guide || state == .contradicted
    if needsSources, sources.isEmpty {
      throw DecodingFailure(
        path: reader.path(to: "sources"), message: "required for the state \(state.rawValue)")
    }
    if state != .confirmed, state != .guide, note == nil {
      throw DecodingFailure(
        path: reader.path(to: "note"), message: "required for the state \(state.rawValue)")
    }
    try reader.finish()
  }

  private static func texts(
    _ name: JSONString, _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> [JSONString] {
    try reader.optionalElements(name) { (element, path) throws(DecodingFailure) in
      try element.text(at: path)
    } ?? []
  }
}

extension Clause.Basis.State {
  /// The meaning, for readers.
  package var meaning: String {
    switch self {
    case .confirmed: "a source independent of this project says it"
    case .guide: "a guide from which this layer was made says it"
    case .ruling: "a format or a definition of this project"
    case .contradicted: "a source says otherwise"
    case .unknown: "no source was found"
    }
  }
}

internal import Datastore
package import JSON
package import Scenarios

/// The terms of the rules with definitions: `glossary.json` beside the clauses.
package struct Glossary: Hashable, Sendable {
  package let terms: [Term]

  package static let fileName = "glossary.json"

  package struct Term: Hashable, Sendable {
    package let name: JSONString
    /// Synonyms, and other words that the definition covers.
    package let others: [JSONString]
    package let text: JSONString
    /// The most relevant rules.
    package let clauses: [ClauseID]
  }

  /// Returns the glossary of a folder; nil if it has no such file.
  package static func read(_ folder: String) throws(CorpusError) -> Glossary? {
    try CorpusFile.read(fileName, in: folder) { (json) throws(DecodingFailure) in
      try Glossary(json)
    }
  }

  /// Returns references to unknown clauses.
  package func problems(in corpus: Corpus) -> [CorpusProblem] {
    let known = Set(corpus.clauses.map(\.id))
    return terms.flatMap { term in
      term.clauses.filter { !known.contains($0) }.map {
        CorpusProblem(
          file: Self.fileName, path: term.name.string, message: "unknown clause '\($0)'")
      }
    }
  }

  package init(_ json: JSONValue) throws(DecodingFailure) {
    var reader = try ObjectReader(json)
    try reader.requireFormat("touchstone-glossary", version: 1)
    terms = try reader.elements("terms") { (element, path) throws(DecodingFailure) in
      try Term(element, path: path)
    }
    try reader.finish()
  }
}

extension Glossary.Term {
  package var json: JSONValue {
    [
      "term": .string(name), "also": .array(others.map { .string($0) }), "text": .string(text),
      "clauses": .array(clauses.map { $0.json }),
    ]
  }

  fileprivate init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    name = try reader.text("term")
    others =
      try reader.optionalElements("also") { (element, path) throws(DecodingFailure) in
        try element.text(at: path)
      } ?? []
    text = try reader.text("text")
    clauses =
      try reader.optionalElements("clauses") { (element, path) throws(DecodingFailure) in
        try ClauseID(element, path: path)
      } ?? []
    try reader.finish()
  }
}

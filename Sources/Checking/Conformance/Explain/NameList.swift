internal import Datastore
package import JSON
package import Scenarios

/// The names of other products with their counterparts here: `names.json` beside the clauses.
package struct NameList: Hashable, Sendable {
  package let products: [Product]

  package static let fileName = "names.json"

  /// A product, and the names that its documents use.
  package struct Product: Hashable, Sendable {
    package let name: JSONString
    /// The layer of this project to start with.
    package let text: JSONString
    /// The pages about it, as paths in the repository.
    package let pages: [JSONString]
    package let sections: [Section]
  }

  /// Names of one subject.
  package struct Section: Hashable, Sendable {
    package let title: JSONString
    package let names: [ForeignName]
  }

  /// All names, in the order of the file.
  package var names: [ForeignName] { products.flatMap { $0.sections.flatMap(\.names) } }

  /// Returns the list of a folder; nil if it has no such file.
  package static func read(_ folder: String) throws(CorpusError) -> NameList? {
    try CorpusFile.read(fileName, in: folder) { (json) throws(DecodingFailure) in
      try NameList(json)
    }
  }

  package init(_ json: JSONValue) throws(DecodingFailure) {
    var reader = try ObjectReader(json)
    try reader.requireFormat("touchstone-names", version: 1)
    products = try reader.elements("products") { (element, path) throws(DecodingFailure) in
      try Product(element, path: path)
    }
    try reader.finish()
  }

  /// Returns references to unknown clauses, and names that a product has twice.
  package func problems(in corpus: Corpus) -> [CorpusProblem] {
    let known = Set(corpus.clauses.map(\.id))
    var seen: Set<[JSONString]> = []
    return names.flatMap { name in
      let unknown = name.clauses.filter { !known.contains($0) }.map { "unknown clause '\($0)'" }
      let repeated = ([name.name] + name.others).filter {
        !seen.insert([name.product, $0]).inserted
      }
      return (unknown + repeated.map { "\(name.product) has '\($0)' twice" }).map {
        CorpusProblem(file: Self.fileName, path: name.name.string, message: $0)
      }
    }
  }
}

/// A name of another product, and what corresponds to it here.
package struct ForeignName: Hashable, Sendable {
  package let product: JSONString
  package let name: JSONString
  /// Other forms of the name, and names with the same counterpart.
  package let others: [JSONString]
  /// The counterparts in Swift, on the command line or in documents; may be empty.
  package let counterparts: [Counterpart]
  /// The operations of the adapter protocol.
  package let operations: [JSONString]
  /// The differences and their reasons.
  package let text: JSONString
  package let clauses: [ClauseID]

  package struct Counterpart: Hashable, Sendable {
    /// A type, a member, a command or a member of a document.
    package let code: JSONString
    /// The file with its definition, as a path in the repository.
    package let file: JSONString
  }

  package var json: JSONValue {
    [
      "product": .string(product), "name": .string(name),
      "also": .array(others.map { .string($0) }),
      "here": .array(
        counterparts.map { ["code": .string($0.code), "file": .string($0.file)] }),
      "operations": .array(operations.map { .string($0) }), "text": .string(text),
      "clauses": .array(clauses.map { $0.json }),
    ]
  }
}

extension NameList.Product {
  fileprivate init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    let name = try reader.filledText("product")
    self.name = name
    text = try reader.filledText("text")
    pages = try reader.elements("pages") { (element, path) throws(DecodingFailure) in
      try element.text(at: path)
    }
    sections = try reader.elements("sections") { (element, path) throws(DecodingFailure) in
      var reader = try ObjectReader(element, path: path)
      let title = try reader.filledText("title")
      let names = try reader.elements("names") { (element, path) throws(DecodingFailure) in
        try ForeignName(element, of: name, path: path)
      }
      try reader.finish()
      return NameList.Section(title: title, names: names)
    }
    try reader.finish()
  }
}

extension ForeignName {
  fileprivate init(_ json: JSONValue, of product: JSONString, path: String) throws(DecodingFailure)
  {
    var reader = try ObjectReader(json, path: path)
    self.product = product
    name = try reader.filledText("name")
    others = try Self.texts("also", &reader)
    counterparts =
      try reader.optionalElements("here") { (element, path) throws(DecodingFailure) in
        var reader = try ObjectReader(element, path: path)
        let code = try reader.filledText("code")
        let file = try reader.filledText("file")
        try reader.finish()
        return Counterpart(code: code, file: file)
      } ?? []
    operations = try Self.texts("operations", &reader)
    text = try reader.filledText("text")
    clauses =
      try reader.optionalElements("clauses") { (element, path) throws(DecodingFailure) in
        try ClauseID(element, path: path)
      } ?? []
    try reader.finish()
  }

  private static func texts(
    _ member: JSONString, _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> [JSONString] {
    try reader.optionalElements(member) { (element, path) throws(DecodingFailure) in
      try element.text(at: path)
    } ?? []
  }
}

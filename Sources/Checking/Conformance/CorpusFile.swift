package import JSON

/// The files beside `clauses.json` that no run needs.
package enum CorpusFile {
  /// Reads such a file; nil if it does not exist.
  static func read<Value>(
    _ name: String, in folder: String, _ decode: (JSONValue) throws(DecodingFailure) -> Value
  ) throws(CorpusError) -> Value? {
    let path = "\(folder)/\(name)"
    guard Files.exists(path) else { return nil }
    return try read(path: path, named: name, decode)
  }

  /// Reads a required file; problems use the given name.
  package static func read<Value>(
    path: String, named name: String, _ decode: (JSONValue) throws(DecodingFailure) -> Value
  ) throws(CorpusError) -> Value {
    let problem: CorpusProblem
    do throws(Files.Failure) {
      let bytes = try Files.read(path)
      do throws(JSONError) {
        let json = try JSONValue.parse(bytes)
        do throws(DecodingFailure) {
          return try decode(json)
        } catch {
          problem = CorpusProblem(file: name, path: error.path, message: error.message)
        }
      } catch {
        problem = CorpusProblem(file: name, message: error.description)
      }
    } catch {
      problem = CorpusProblem(file: name, message: error.reason)
    }
    throw CorpusError([problem])
  }
}

extension ObjectReader {
  /// Rejects a file of another format, or of an unknown version.
  package mutating func requireFormat(_ format: JSONString, version: Int64) throws(DecodingFailure)
  {
    guard try text("format") == format else {
      throw DecodingFailure(path: path(to: "format"), message: "expected '\(format)'")
    }
    guard try integer("version") == version else {
      throw DecodingFailure(path: path(to: "version"), message: "expected \(version)")
    }
  }

  /// Reads a text that is not empty.
  package mutating func filledText(_ name: JSONString) throws(DecodingFailure) -> JSONString {
    let text = try text(name)
    guard !text.isEmpty else {
      throw DecodingFailure(
        path: path(to: name), message: "expected a text, found an empty one")
    }
    return text
  }

  /// Reads a non-negative integer.
  mutating func count(_ name: JSONString) throws(DecodingFailure) -> Int {
    guard let count = Int(exactly: try integer(name)), count >= 0 else {
      throw DecodingFailure(path: path(to: name), message: "expected an integer from 0")
    }
    return count
  }
}

extension JSONValue {
  /// A count as JSON.
  static func count(_ count: Int) -> JSONValue { .integer(Int64(count)) }
}

extension Corpus {
  /// The problems of the files beside the clauses.
  package var sideProblems: [CorpusProblem] {
    Self.problems { () throws(CorpusError) in
      try Manifest.read(folder)?.problems(in: self) ?? []
    }
      + Self.problems { () throws(CorpusError) in
        try MutantList.read(folder)?.problems(in: self) ?? []
      }
      + Self.problems { () throws(CorpusError) in
        try Glossary.read(folder)?.problems(in: self) ?? []
      }
      + Self.problems { () throws(CorpusError) in
        try NameList.read(folder)?.problems(in: self) ?? []
      }
  }

  private static func problems(
    _ check: () throws(CorpusError) -> [CorpusProblem]
  ) -> [CorpusProblem] {
    do throws(CorpusError) {
      return try check()
    } catch {
      return error.problems
    }
  }
}

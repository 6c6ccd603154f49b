internal import JSON

/// The files that lie beside `clauses.json` and that no run needs.
enum CorpusFile {
  /// Reads such a file; nil when it is not there.
  static func read<Value>(
    _ name: String, in folder: String, _ decode: (JSONValue) throws(DecodingFailure) -> Value
  ) throws(CorpusError) -> Value? {
    let path = "\(folder)/\(name)"
    guard Files.exists(path) else { return nil }
    return try read(path: path, named: name, decode)
  }

  /// Reads a file that has to be there; the name is what problems call it.
  static func read<Value>(
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
  /// Refuses a file of another format, or of a version that is not known here.
  mutating func requireFormat(_ format: JSONString, version: Int64) throws(DecodingFailure) {
    guard try text("format") == format else {
      throw DecodingFailure(path: path(to: "format"), message: "expected '\(format)'")
    }
    guard try integer("version") == version else {
      throw DecodingFailure(path: path(to: "version"), message: "expected \(version)")
    }
  }

  /// A text that is one of a few.
  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: JSONString
  ) throws(DecodingFailure) -> Choice {
    let text = try text(name)
    if let choice = Choice.allCases.first(where: { JSONString($0.rawValue) == text }) {
      return choice
    }
    let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw DecodingFailure(path: path(to: name), message: "'\(text)' is not one of \(known)")
  }

  /// An integer from 0.
  mutating func count(_ name: JSONString) throws(DecodingFailure) -> Int {
    guard let count = Int(exactly: try integer(name)), count >= 0 else {
      throw DecodingFailure(path: path(to: name), message: "expected an integer from 0")
    }
    return count
  }
}

extension JSONValue {
  /// A number of things.
  static func count(_ count: Int) -> JSONValue { .integer(Int64(count)) }
}

extension Corpus {
  /// What is wrong with the files beside the clauses, where there are any.
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

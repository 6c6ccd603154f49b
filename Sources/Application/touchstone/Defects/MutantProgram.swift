internal import Conformance
internal import Datastore
internal import JSON

/// The program that `tools/mutants/build.py` builds: touchstone with all source mutants.
struct MutantProgram {
  let path: String
  let mutants: [Mutant]

  /// A source mutant, as the file `mutants.json` beside the program describes it.
  struct Mutant {
    let name: String
    let sentence: String
    let clause: String
    let link: String?
    let implementations: [String]
  }

  /// Returns the path of the program, beside the folder `Vectors` or below the current folder; nil
  /// where there is none.
  static func find(_ corpus: Corpus) -> String? {
    let places = ["\(corpus.folder)/../.build/mutants/touchstone", ".build/mutants/touchstone"]
    return places.first { Files.exists($0) }.flatMap { Files.realPath($0) }
  }

  init(path: String) throws(CommandFailure) {
    guard Files.exists(path), let resolved = Files.realPath(path) else {
      throw CommandFailure("no program \(path); run tools/mutants/build.py to build it")
    }
    self.path = resolved
    let folder = resolved.utf8.split(separator: UInt8(ascii: "/")).dropLast()
    let manifest = "/" + folder.compactMap { String($0) }.joined(separator: "/") + "/mutants.json"
    do {
      let json = try JSONValue.parse(try Files.read(manifest))
      var reader = try ObjectReader(json, path: "")
      var mutants: [Mutant] = []
      for (index, element) in try reader.array("mutants").enumerated() {
        mutants.append(try Mutant(element, path: "mutants[\(index)]"))
      }
      self.mutants = mutants
    } catch {
      throw CommandFailure("\(manifest): \(error)")
    }
  }

  /// The arguments of one run; it writes its report to standard output.
  static func arguments(_ implementation: String, _ vectors: String) -> [String] {
    // Several of these processes run at the same time.
    ["run", "--implementation", implementation, "--vectors", vectors, "--jobs", "1"]
      + ["--report", "jsonl=-"]
  }

  /// The environment variables that activate a mutant.
  static func variables(_ name: String) -> [String] { ["TOUCHSTONE_MUTANT=\(name)"] }
}

extension MutantProgram.Mutant {
  fileprivate init(_ json: JSONValue, path: String) throws(DecodingFailure) {
    var reader = try ObjectReader(json, path: path)
    name = try reader.text("name").string
    sentence = try reader.text("sentence").string
    clause = try reader.text("clause").string
    if case .string(let text)? = reader.optional("link") { link = text.string } else { link = nil }
    implementations = try reader.array("implementations").compactMap { $0.textValue?.string }
  }
}

extension DefectFinding {
  /// Reads the report of a run with a mutant.
  mutating func read(_ output: [UInt8], _ end: Subprocess.End, corpus: Corpus) {
    var verdicts: [String: String] = [:]
    for line in output.split(separator: UInt8(ascii: "\n")) {
      guard let object = (try? JSONValue.parse(Array(line)))?.objectValue,
        let id = object["id"]?.textValue, let verdict = object["verdict"]?.textValue
      else { continue }
      verdicts[id.string] = verdict.string
    }
    killers = corpus.vectors.filter { vector in
      let verdict = verdicts[vector.id.description]
      return verdict == "fail" || verdict == "harnessError"
    }
    switch end {
    case .timedOut: self.end = .timeout
    case .signalled: self.end = .crashed
    case .exited(let code): self.end = code == 0 && killers.isEmpty ? .survived : .killed
    }
  }
}

internal import Conformance
internal import JSON
internal import WireConformance

extension WireCorpus {
  /// Reads the folder `http` of the given or the default corpus.
  static func forCommand(_ path: String?) throws(CommandFailure) -> WireCorpus {
    let corpus: WireCorpus
    do {
      corpus = try read("\(try VectorsLocation.find(path).folder)/\(folderName)")
    } catch {
      throw CommandFailure("the vectors of HTTP cannot be read: \(error)")
    }
    guard corpus.problems.isEmpty else {
      let list = ["the vectors of HTTP are invalid"] + corpus.problems.prefix(5)
      throw CommandFailure(list.joined(separator: "\n  "))
    }
    return corpus
  }

  /// The problems of the folder `http` of a corpus; empty if it has none.
  static func problems(below folder: String) throws(CommandFailure) -> [String] {
    let place = "\(folder)/\(folderName)"
    guard Files.isFolder(place) else { return [] }
    do throws(Files.Failure) {
      return try read(place).problems.map { "\(folderName)/\($0)" }
    } catch {
      throw CommandFailure("the vectors of HTTP cannot be read: \(error)")
    }
  }

  /// Reads all JSON files of a folder.
  static func read(_ folder: String) throws(Files.Failure) -> WireCorpus {
    var files: [(name: String, bytes: [UInt8])] = []
    for name in try Files.names(inFolder: folder).sorted(by: {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }) where name.utf8.reversed().starts(with: ".json".utf8.reversed()) {
      files.append((name, try Files.read("\(folder)/\(name)")))
    }
    return WireCorpus(files: files)
  }

  /// The vectors that one of the globs selects by id or clause; all without globs.
  func selected(_ globs: [Glob]) -> [Entry] {
    vectors.filter { entry in
      let names = [entry.vector.id] + entry.vector.clauses
      return globs.isEmpty || globs.contains { glob in names.contains { glob.matches($0) } }
    }
  }
}

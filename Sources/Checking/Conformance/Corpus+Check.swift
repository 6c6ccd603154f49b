public import Datastore
internal import JSON
internal import Scenarios

// Whole runs in tests of packages:
//
//     @Test func conforms() throws {
//       try Corpus.standard().check(MyStore())
//     }
//
//     @Test(arguments: try Corpus.standard().vectors(offeredBy: MyStore(), matching: ["winner-*"]))
//     func conforms(to vector: CorpusVector) throws {
//       try vector.check(MyStore())
//     }

extension Corpus {
  /// The environment variable with globs for ids of vectors and clauses, separated by commas or
  /// white space.
  public static let filterVariable = "TOUCHSTONE_FILTER"

  /// Returns the vectors that an implementation must pass: core, and its declared offers.
  ///
  /// Throws if a glob matches no vector, or if the implementation runs none of those that match,
  /// because a test without cases would pass.
  ///
  /// - Parameter globs: patterns for ids of vectors and clauses; nil for those of the environment
  ///   variable `TOUCHSTONE_FILTER`, and for all vectors if it is not set.
  public func vectors(
    offeredBy implementation: any ImplementationUnderTest, matching globs: [Glob]? = nil
  ) throws(SelectionError) -> [CorpusVector] {
    let selection = try selection(matching: globs, offeredBy: implementation.description)
    return vectors.filter {
      selection.contains($0) && $0.skip(for: implementation.description) == nil
    }
  }

  /// Runs the vectors on an implementation, which is reset before each; throws unless it conforms.
  ///
  /// The description of the error is the report of `touchstone run`: the simplest failures in full
  /// and the counts of all.
  ///
  /// - Parameter globs: as for `vectors(offeredBy:matching:)`.
  @discardableResult
  public func check(
    _ implementation: any ImplementationUnderTest, matching globs: [Glob]? = nil
  ) throws(CorpusCheckError) -> RunReport {
    let selection: Selection
    do throws(SelectionError) {
      selection = try self.selection(matching: globs, offeredBy: implementation.description)
    } catch {
      throw .selection(error)
    }
    let runner = Runner(
      implementation, rerunCommand: { "\(Self.filterVariable)=\($0) swift test" })
    let report = runner.run(self, selection)
    switch RunSummary(report).conclusion {
    case .conformant, .restricted, .selectionPassed, .otherCorpusPassed, .explained,
      .knownFailuresOnly:
      return report
    case .incomplete, .notConformant, .harnessFailed: throw .notConformant(report)
    }
  }

  /// - Parameter filter: the globs to use if the caller passes none; nil for all vectors.
  func selection(
    matching globs: [Glob]?, offeredBy implementation: ImplementationDescription,
    filter: String? = Files.environment(filterVariable)
  ) throws(SelectionError) -> Selection {
    let source = globs == nil ? Self.filterVariable : nil
    let globs = globs ?? filter.map(Self.globs) ?? []
    for glob in globs where !vectors.contains(where: { Selection(globs: [glob]).contains($0) }) {
      throw SelectionError(source: source, reason: "no vector matches '\(glob)'")
    }
    let selection = Selection(globs: globs)
    let selected = vectors.filter { selection.contains($0) }
    guard globs.isEmpty || selected.contains(where: { $0.skip(for: implementation) == nil }) else {
      let skip = selected.compactMap { $0.skip(for: implementation)?.description }.first ?? ""
      throw SelectionError(
        source: source,
        reason: "\(implementation.name) can run none of the "
          + "\(TextLayout.counted(selected.count, "selected vector")): \(skip)")
    }
    return selection
  }

  /// Returns the globs of a text, separated by commas or white space.
  private static func globs(_ text: String) -> [Glob] {
    text.split { $0 == "," || $0.isWhitespace }.map { Glob(JSONString(String($0))) }
  }
}

/// The error for a selection in which no vector runs.
public struct SelectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of what contains the globs; nil if the caller passed them.
  public let source: String?
  /// The reason, for readers.
  public let reason: String

  public var description: String { source.map { "\($0): \(reason)" } ?? reason }
}

/// The error of a whole run.
public enum CorpusCheckError: Error, Sendable, CustomStringConvertible {
  /// No vector would have run.
  case selection(SelectionError)
  /// Vectors failed or have no verdict, or the corpus is incomplete.
  case notConformant(RunReport)

  /// The report for readers.
  public var description: String {
    switch self {
    case .selection(let error): error.description
    case .notConformant(let report): "\n" + TerminalReport(report).text
    }
  }
}

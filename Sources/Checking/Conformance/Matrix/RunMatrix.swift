public import Datastore
internal import JSON
public import Scenarios

/// The results of several implementations for the same vectors, side by side.
public struct RunMatrix: Sendable {
  /// The implementations in the order of the run.
  public let columns: [Column]
  /// The core, the capabilities and the profiles, then the families of clauses.
  public let offers: [Row]
  /// One row for each family of clauses.
  public let families: [Row]
  /// The vectors for which the implementations that ran them behaved differently.
  public let differences: [Difference]
  /// The vectors that no implementation passed; the vector itself may be wrong.
  public let failedByAll: [VectorID]

  /// One implementation with its results.
  public struct Column: Sendable {
    /// The name of the implementation on the command line.
    public let label: String
    /// The results.
    public let report: RunReport
    /// The verdict and the counts.
    public let summary: RunSummary
  }

  /// The results of all implementations for one offer or family.
  public struct Row: Sendable {
    /// The name of the offer or family.
    public let name: String
    /// One cell for each column.
    public let cells: [Cell]
  }

  /// The result of one implementation for one offer or family.
  public struct Cell: Hashable, Sendable {
    /// The counts.
    public let tally: Tally
    /// The result of a run for an offer; families have no grade.
    public let grade: Grade?

    /// The cell in a few characters: the counts, with marks.
    var words: String {
      switch grade {
      case .notOffered, .notAsked: return grade?.words ?? ""
      default: break
      }
      return tally.count == 0 ? "" : "\(tally.passed)/\(tally.count)"
    }

    /// Whether a required vector failed.
    var isBad: Bool { tally.requiredFailures + tally.known > 0 || grade == .notConformant }
  }

  /// A short name for a column.
  static func letter(_ place: Int) -> String {
    place < 26 ? String(UnicodeScalar(UInt8(ascii: "A") + UInt8(place))) : "\(place + 1)"
  }

  /// - Parameter runs: reports about the same corpus and selection, each with a name.
  public init(_ runs: [(label: String, report: RunReport)]) {
    let columns = runs.map {
      Column(label: $0.label, report: $0.report, summary: RunSummary($0.report))
    }
    self.columns = columns
    offers = Offer.all.compactMap { offer in
      let found = columns.map { column in column.summary.offers.first { $0.offer == offer } }
      guard found.contains(where: { $0.map { $0.tally.count > 0 } ?? false }) else { return nil }
      return Row(
        name: offer.name,
        cells: found.map { Cell(tally: $0?.tally ?? Tally(), grade: $0?.grade ?? .notAsked) })
    }
    let names = columns.first?.summary.families.map(\.family) ?? []
    families = names.map { name in
      Row(
        name: name.string,
        cells: columns.map { column in
          let tally = column.summary.families.first { $0.family == name }?.tally
          return Cell(tally: tally ?? Tally(), grade: nil)
        })
    }
    var differences: [Difference] = []
    var failedByAll: [VectorID] = []
    for place in columns.first?.report.results.indices ?? 0..<0 {
      // A run that ended at its first failure has fewer results.
      let results = columns.map { column in
        place < column.report.results.count ? column.report.results[place] : nil
      }
      let answers = zip(columns, results).compactMap { column, result in
        result.map { (column.label, $0) }
      }
      guard let vector = answers.first?.1.vector else { continue }
      let difference = Difference(vector, answers)
      if difference.behaviours.count > 1 { differences.append(difference) }
      let asked = answers.filter { !$0.1.verdict.isSkip }
      if asked.count > 1, asked.allSatisfy({ $0.1.verdict.isFailure }) {
        failedByAll.append(vector.id)
      }
    }
    self.differences = differences
    self.failedByAll = failedByAll
  }
}

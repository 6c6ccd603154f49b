internal import Conformance
internal import Datastore
internal import Simulation

/// The report of a command that explores a fixed list of cases, each exhaustively.
///
/// Such cases have no seeds. The report has their numbers instead, from 1 in the order of the list, and
/// `touchstone merge` reads it like the report of a campaign.
struct EnumerationReport {
  /// The subject of the cases: the implementation as named on the command line, and its own
  /// description.
  var subject: (name: String, description: ImplementationDescription)
  /// The words of the command line that define the cases.
  var words: [String]
  /// The numbers of the cases.
  var numbers: CaseNumbers
  /// The reports of the cases; the seed of each is its number.
  var cases: [CampaignReport]
  /// The numbers of the cases that were explored completely; nil for all.
  var explored: [UInt64]?

  /// - Parameter numbers: the numbers of the cases; nil if they are the whole list.
  init(
    subject: (name: String, description: ImplementationDescription), words: [String],
    numbers: CaseNumbers? = nil, cases: [CampaignReport]
  ) {
    (self.subject, self.words, self.cases) = (subject, words, cases)
    self.numbers = numbers ?? CaseNumbers(of: cases.count)
  }

  /// The description of parts of this program that are no store.
  static let bundled = (
    name: "touchstone",
    description: ImplementationDescription(name: "touchstone", version: toolVersion)
  )

  static let option = Manual.Option(
    name: "--report", value: "FILE",
    help: "Write the result as JSON, for touchstone merge; - is standard output.")

  /// Writes the report if a path is given.
  ///
  /// - Returns: true if the report goes to standard output, which then has no other text.
  func write(to path: String?, _ context: Context) throws(CommandFailure) -> Bool {
    guard let path else { return false }
    var sum = CampaignReport()
    do throws(CampaignReport.Overflow) {
      for report in cases { try sum.join(report) }
    } catch {
      throw CommandFailure("\(error)")
    }
    var part = SeedPart(numbers.range, isTimed: false)
    for number in explored ?? Array(numbers.range.all) {
      part.add(SeedPart.Span(first: number, last: number))
    }
    let identity: CampaignIdentity
    do throws(HarnessError) {
      identity = try CampaignIdentity(subject.name, subject.description, words: words)
    } catch {
      throw CommandFailure("\(error)")
    }
    return try CampaignFile(sum, [part], identity: identity).write(to: path, context)
  }
}

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
  /// The reports of the cases; the seed of each is its number.
  var cases: [CampaignReport]

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
    let numbers = SeedPart.Span(first: 1, last: UInt64(cases.count))
    var part = SeedPart(first: numbers.first, last: numbers.last)
    part.add(numbers)
    let identity: CampaignIdentity
    do throws(HarnessError) {
      identity = try CampaignIdentity(subject.name, subject.description, words: words)
    } catch {
      throw CommandFailure("\(error)")
    }
    return try CampaignFile(sum, [part], identity: identity).write(to: path, context)
  }
}

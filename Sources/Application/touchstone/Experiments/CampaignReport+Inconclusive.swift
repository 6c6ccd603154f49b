internal import JSON
internal import Simulation

extension CampaignReport {
  /// The number of sequences of a comparison that were checked in part, because more states were
  /// possible than the checker tracks.
  var inconclusiveCount: Int { counts["inconclusive"] ?? 0 }

  /// Whether these are more than 1 in 20, so that the campaign is no evidence.
  var isInconclusive: Bool { inconclusiveCount * 20 > runs }
}

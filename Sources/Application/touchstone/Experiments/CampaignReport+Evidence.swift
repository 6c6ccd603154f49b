internal import JSON
internal import Simulation

extension CampaignReport {
  /// Whether more than 1 of 20 sequences of a comparison were checked in part, because more states
  /// were possible than the checker tracks.
  var isNoEvidence: Bool { (counts["inconclusive"] ?? 0) * 20 > runs }
}

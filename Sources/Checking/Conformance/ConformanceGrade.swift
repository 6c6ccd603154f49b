/// The rules that decide the verdict, the exit code and the badge of a run.
///
/// Failures of the other rules are also shown and counted.
public enum ConformanceGrade: String, CaseIterable, Sendable {
  /// MUST clauses that bind the whole family or, where the implementation offers it, a layer.
  case family
  /// All MUST clauses.
  case contract
}

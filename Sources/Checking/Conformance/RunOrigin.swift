/// The date and the machine of a run, for the header of a page.
///
/// The caller states them: no module below the command line reads a clock, and neither has an effect
/// on a verdict. A machine is its operating system and architecture, without a name of the host.
public struct RunOrigin: Hashable, Sendable {
  /// The date of the run, in UTC.
  public let day: CalendarDay
  /// The system and the processor of the run.
  public let machine: String

  /// Creates an origin.
  public init(day: CalendarDay, machine: String = RunOrigin.machine) {
    self.day = day
    self.machine = machine
  }

  /// The machine that this program was built for.
  public static var machine: String { "\(system), \(architecture)" }

  private static var system: String {
    #if os(Linux)
      "Linux"
    #elseif os(macOS)
      "macOS"
    #else
      "another system"
    #endif
  }

  private static var architecture: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "arm64"
    #else
      "another architecture"
    #endif
  }
}

/// Numbers for people; three digits are enough for a time, two decimals for a ratio.
enum Figures {
  /// A time per operation in a suitable unit: `875 ns`, `22.3 µs`, `3.16 ms`.
  static func time(nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<999.5: "\(Int(nanoseconds + 0.5)) ns"
    case ..<999_500: "\(threeDigits(nanoseconds / 1000)) µs"
    case ..<999_500_000: "\(threeDigits(nanoseconds / 1_000_000)) ms"
    default: "\(threeDigits(nanoseconds / 1_000_000_000)) s"
    }
  }

  /// The number of operations of this length in a second, with commas between the thousands.
  static func rate(nanosecondsEach: Double) -> String {
    grouped(Int(1_000_000_000 / max(1, nanosecondsEach) + 0.5))
  }

  /// A size in millions of bytes: `84 MB`.
  static func megabytes(_ bytes: Int64) -> String { "\(grouped(Int(bytes / 1_000_000))) MB" }

  static func ratio(_ value: Double) -> String { decimal(value, places: 2) }

  private static func threeDigits(_ value: Double) -> String {
    decimal(value, places: value < 9.995 ? 2 : value < 99.95 ? 1 : 0)
  }

  private static func decimal(_ value: Double, places: Int) -> String {
    let scale = [1, 10, 100][places]
    let scaled = Int(min(value, 1e12) * Double(scale) + 0.5)
    guard places > 0 else { return "\(scaled)" }
    let fraction = String(scaled % scale)
    let zeros = String(repeating: "0", count: places - fraction.utf8.count)
    return "\(scaled / scale).\(zeros)\(fraction)"
  }

  static func grouped(_ value: Int) -> String {
    let digits = Array(String(value).utf8)
    var text = ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place) % 3 == 0 { text += "," }
      text.unicodeScalars.append(Unicode.Scalar(digit))
    }
    return text
  }
}

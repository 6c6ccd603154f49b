internal import JSON

/// A time of ISO 8601 with a date, such as `2026-11-20T21:56:30.453+01:00`.
enum Timestamp {
  /// Returns the microseconds since 1970 in UTC; nil if the text has another form.
  static func microseconds(_ text: JSONString) -> Int64? {
    var rest = Array(text.utf8)[...]
    guard let year = number(4, &rest), skip("-", &rest), let month = number(2, &rest),
      skip("-", &rest), let day = number(2, &rest), skip("T", &rest),
      let hour = number(2, &rest), skip(":", &rest), let minute = number(2, &rest),
      skip(":", &rest), let second = number(2, &rest),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
    else { return nil }
    var fraction: Int64 = 0
    if skip(".", &rest) {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty else { return nil }
      for place in 0..<6 {
        let digit = place < digits.count ? Int64(digits[digits.startIndex + place] - 0x30) : 0
        fraction = fraction * 10 + digit
      }
      rest = rest.dropFirst(digits.count)
    }
    guard let offset = offsetMinutes(&rest), rest.isEmpty else { return nil }
    let minutes = (days(year, month, day: day) * 24 + hour) * 60 + minute - offset
    return (minutes * 60 + second) * 1_000_000 + fraction
  }

  private static func offsetMinutes(_ rest: inout ArraySlice<UInt8>) -> Int64? {
    if skip("Z", &rest) { return 0 }
    let sign: Int64 = skip("+", &rest) ? 1 : -1
    if sign < 0, !skip("-", &rest) { return nil }
    guard let hours = number(2, &rest) else { return nil }
    _ = skip(":", &rest)
    guard let minutes = number(2, &rest) else { return nil }
    return sign * (hours * 60 + minutes)
  }

  /// The days since 1970-01-01 in the Gregorian calendar.
  private static func days(_ year: Int64, _ month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func number(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> Int64? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  private static func skip(_ letter: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.first == UInt8(ascii: letter) else { return false }
    rest = rest.dropFirst()
    return true
  }
}

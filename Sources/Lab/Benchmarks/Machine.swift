internal import CJansson
internal import CSQLite

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The machine of a measurement, as far as it can be determined easily.
public struct Machine: Hashable, Sendable {
  /// The model of the processor.
  public var processor: String
  /// The number of cores that the system reports.
  public var coreCount: Int64
  /// The system, its release and the kind of machine.
  public var system: String
  /// The version of SQLite.
  public var sqlite: String
  /// The version of Jansson.
  public var jansson: String
  /// The version of the Swift compiler, as far as it affects figures.
  public var swift: String
  /// `release` or `debug`; figures of a debug build are meaningless.
  public var build: String

  /// The machine that this process runs on.
  public static var current: Machine {
    Machine(
      processor: processorModel ?? "unknown processor",
      coreCount: Int64(sysconf(Int32(_SC_NPROCESSORS_ONLN))), system: systemName,
      sqlite: String(cString: sqlite3_libversion()),
      jansson: String(cString: jansson_version_str()), swift: swiftVersion, build: buildName)
  }

  /// One or two lines for people.
  var phrases: [String] {
    [
      processor, coreCount == 1 ? "1 core" : "\(coreCount) cores", system, "SQLite \(sqlite)",
      "Jansson \(jansson)", "Swift \(swift)", "\(build) build",
    ]
  }

  private static var swiftVersion: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  private static var buildName: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }

  private static var systemName: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "unknown system" }
    return [text(of: names.sysname), text(of: names.release), text(of: names.machine)]
      .joined(separator: " ")
  }

  /// The text in a C array of characters that ends with NUL, imported as a tuple.
  private static func text<Characters>(of characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private static var processorModel: String? {
    #if os(Linux)
      return line(of: "/proc/cpuinfo", named: "model name")
    #else
      var length = 0
      guard sysctlbyname("machdep.cpu.brand_string", nil, &length, nil, 0) == 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: length)
      guard sysctlbyname("machdep.cpu.brand_string", &bytes, &length, nil, 0) == 0 else {
        return nil
      }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    #endif
  }

  #if os(Linux)
    /// The text after the colon in the first line with this name.
    private static func line(of path: String, named name: String) -> String? {
      guard let file = fopen(path, "r") else { return nil }
      defer { fclose(file) }
      var buffer = [CChar](repeating: 0, count: 4096)
      while fgets(&buffer, Int32(buffer.count), file) != nil {
        let bytes = buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
        guard bytes.starts(with: name.utf8), let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { continue }
        let value = bytes[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }
        return value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
      }
      return nil
    }
  #endif
}

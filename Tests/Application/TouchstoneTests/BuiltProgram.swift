import Conformance
import Testing

@testable import touchstone

/// The program that was built with these tests, for tests that need a separate process.
enum BuiltProgram {
  /// The path of the program, in the folder of the test bundle.
  static func path() throws -> String {
    let folders = CommandLine.arguments.filter { $0.hasPrefix("/") }.flatMap { argument in
      // On macOS the executable of the tests is inside the bundle.
      let parts = argument.split(separator: "/")
      return (1...3).map { "/" + parts.dropLast($0).joined(separator: "/") }
    }
    return try #require(
      folders.map { "\($0)/touchstone" }.first { path in
        (try? Subprocess(path, ["--version"], variables: [])).map { process in
          while !process.advance(milliseconds: 20) {}
          return process.end == .exited(0)
        } ?? false
      }, "touchstone is not beside \(CommandLine.arguments)")
  }

  /// The end and the output of a shell script in which `$TOUCHSTONE` is the program.
  static func shell(_ script: String) throws -> (end: Subprocess.End?, output: String) {
    let process = try Subprocess("/bin/sh", ["-c", script], variables: ["TOUCHSTONE=\(path())"])
    while !process.advance(milliseconds: 20) {}
    return (process.end, String(decoding: process.output, as: UTF8.self))
  }
}

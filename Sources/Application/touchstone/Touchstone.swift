internal import Conformance

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The entry point; `CommandTable` and the commands do the work.
@main struct Touchstone {
  static func main() {
    Files.occupyStandardStreams()
    let arguments = Array(CommandLine.arguments.dropFirst())
    let code = CommandTable.run(arguments, .process)
    // The report of a worker is complete: its parent decides.
    if Files.environment(workerVariableName) == nil { Interruption.passOn() }
    exit(code.rawValue)
  }
}

internal import Conformance

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The command line; all it knows is in `CommandTable` and the commands.
@main struct Touchstone {
  static func main() {
    Files.occupyStandardStreams()
    let arguments = Array(CommandLine.arguments.dropFirst())
    let code = CommandTable.run(arguments, .process)
    Interruption.passOn()
    exit(code.rawValue)
  }
}

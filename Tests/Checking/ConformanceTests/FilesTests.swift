import Foundation
import Testing

@testable import Conformance

/// Reports that are written to named pipes.
@Suite struct FilesTests {
  private func withPipe(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "pipe").path
    #expect(mkfifo(path, 0o600) == 0)
    try body(path)
  }

  private func isPipe(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  @Test func aPipeWithoutAReaderIsAnErrorInTime() throws {
    try withPipe { path in
      let failure = #expect(throws: Files.Failure.self) {
        try Files.write("text", to: path, pipeMilliseconds: 100)
      }
      #expect(failure?.description.contains("no process has opened this named pipe") == true)
      #expect(isPipe(path))
    }
  }

  @Test func aReaderThatComesLateGetsEverything() throws {
    try withPipe { path in
      // More than the capacity of a pipe.
      let text = String(repeating: "0123456789abcde\n", count: 20_000)
      let reader = Process()
      reader.executableURL = URL(filePath: "/bin/sh")
      reader.arguments = ["-c", "sleep 0.2; cat '\(path)' > '\(path).copy'"]
      try reader.run()
      try Files.write(text, to: path, pipeMilliseconds: 20_000)
      reader.waitUntilExit()
      #expect(try String(contentsOfFile: "\(path).copy", encoding: .utf8) == text)
      #expect(isPipe(path))
    }
  }

  @Test(arguments: [("head -c 10", "Broken pipe"), ("sleep 5", "its reader has read nothing")])
  func aReaderThatStopsIsAnError(command: String, says: String) throws {
    try withPipe { path in
      let text = String(repeating: "0123456789abcde\n", count: 20_000)
      let reader = Process()
      reader.executableURL = URL(filePath: "/bin/sh")
      reader.arguments = ["-c", "exec \(command) < '\(path)'"]
      reader.standardOutput = FileHandle.nullDevice
      try reader.run()
      let failure = #expect(throws: Files.Failure.self) {
        try Files.write(text, to: path, pipeMilliseconds: 1000)
      }
      #expect(failure?.description.contains(says) == true, "\(failure?.description ?? "")")
      reader.terminate()
      reader.waitUntilExit()
    }
  }
}

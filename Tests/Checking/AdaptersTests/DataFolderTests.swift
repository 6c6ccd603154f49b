import Foundation
import Testing

@testable import Adapters

@Suite struct DataFolderTests {
  /// A parent folder for data folders.
  private final class Parent {
    let path = NSTemporaryDirectory() + "folders-" + UUID().uuidString

    init() throws { try make("") }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func make(_ name: String) throws {
      try FileManager.default.createDirectory(
        atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    }

    var names: Set<String> {
      get throws { Set(try FileManager.default.contentsOfDirectory(atPath: path)) }
    }
  }

  /// The first folder of a process removes folders of dead processes, and nothing else.
  @Test func foldersOfProcessesThatAreGone() throws {
    let parent = try Parent()
    let own = ProcessIdentity.current
    let gone = "touchstone-4194303-17-abcdef"
    // An earlier process with the same number.
    let recycled = "touchstone-\(own.number)-\(own.start + 1)-abcdef"
    let held = "touchstone-4194302-17-abcdef"
    let kept: Set = [
      "touchstone-\(own.number)-\(own.start)-abcdef", "touchstone-notes", "touchstone-1-2",
      "touchstone-4194303-17-abcde", "touchstone-4194303-x-abcdef", held,
    ]
    for name in kept.union([gone, recycled]) { try parent.make("\(name)/stores/deep") }
    try Data("x".utf8).write(to: URL(fileURLWithPath: "\(parent.path)/\(gone)/stores/file"))
    let link = "touchstone-4194301-17-abcdef"
    try FileManager.default.createSymbolicLink(
      atPath: "\(parent.path)/\(link)", withDestinationPath: "touchstone-notes")
    // The owner may run in another container.
    let lock = Descriptor(open("\(parent.path)/\(held)", O_RDONLY))
    #expect(flock(lock.number, LOCK_EX | LOCK_NB) == 0)

    var folder: DataFolder? = try DataFolder(in: parent.path)
    let name = try #require(folder).path.split(separator: "/").last.map(String.init)
    #expect(name.flatMap { DataFolder.owner(of: $0) } == own)
    #expect(try parent.names == kept.union([link, try #require(name)]))
    #expect(FileManager.default.fileExists(atPath: "\(parent.path)/touchstone-notes/stores/deep"))
    folder = nil
    #expect(try parent.names == kept.union([link]))
  }

  @Test func aFolderThatIsKept() throws {
    let parent = try Parent()
    var folder: DataFolder? = try DataFolder(in: parent.path)
    let path = try #require(folder).path
    try Data("x".utf8).write(to: URL(fileURLWithPath: "\(path)/file"))
    let kept = try #require(folder?.keep())
    folder = nil
    let name = try #require(kept.split(separator: "/").last.map(String.init))
    #expect(try parent.names == [name])
    #expect(FileManager.default.fileExists(atPath: "\(kept)/file"))
    // No later process may treat it as left behind.
    #expect(DataFolder.owner(of: name) == nil)
  }

  @Test func aFolderThatIsRemoved() throws {
    let parent = try Parent()
    let folder = try DataFolder(in: parent.path)
    try parent.make("\(folder.path.split(separator: "/").last ?? "")/stores/deep")
    try folder.remove()
    #expect(try parent.names.isEmpty)
  }

  @Test func whetherAProcessRuns() {
    let own = ProcessIdentity.current
    #expect(own.isAlive && own.number == getpid())
    #expect(!ProcessIdentity(number: 4_194_303, start: 0).isAlive)
    #if os(Linux)
      #expect(own.start > 0)
      #expect(!ProcessIdentity(number: own.number, start: own.start - 1).isAlive)
    #endif
  }
}

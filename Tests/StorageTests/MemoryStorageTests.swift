import Storage
import Testing

@Suite struct MemoryStorageTests {
  @Test func startsEmpty() throws {
    #expect(try MemoryStorage().fileNames().isEmpty)
  }
}

import Datastore
import JSON
import ReferenceDatastore
import Scenarios
import Testing

@testable import Generation

struct SessionTests {
  static let cases: [SessionState] = {
    var explorer = SessionExplorer(stores: 2, writesMax: 3)
    try? explorer.explore()
    return explorer.cases
  }()

  @Test func endsAreDistinct() throws {
    let ends = try Self.cases.map { try $0.healed().shape() }
    #expect(!ends.isEmpty)
    #expect(Set(ends).count == ends.count)
    let ids = try Self.cases.map { try SessionVectors(scope: 3).vector($0).id }
    #expect(Set(ids).count == ids.count)
    #expect(ids.contains("session-2-a-create-b-create"))
  }

  /// The store chooses revision ids.
  @Test func madeIDsAreVariables() throws {
    for found in Self.cases {
      let vector = try SessionVectors(scope: 3).vector(found)
      #expect(vector.findings().isEmpty)
      let text = vector.json.serialized()
      for revision in try found.healed().revisions(at: 0) {
        #expect(!text.contains(revision.rev.text.string), "\(vector.id)")
      }
    }
  }

  /// States that differ only in names, or by an exchange of stores, have the same shape.
  @Test func shapesHaveNoNames() throws {
    let start = SessionState(stores: 2)
    func written(at store: Int) throws -> SessionState {
      try #require(
        try start.after(.write(store: store, .create(id: "d", body: [:]), word: "create")))
    }
    #expect(try written(at: 0).shape() == written(at: 1).shape())
    #expect(try written(at: 0).shape() != start.shape())
  }
}

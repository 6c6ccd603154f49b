import Testing
import TouchstoneKit

struct NoteResolverTests {
  /// Checks all guarantees of a resolver that merges.
  @Test func mergesNotes() throws {
    try ConflictResolverCheck { conflict in NoteResolver().resolve(conflict) }
      .check(seeds: 1...1000)
  }

  /// A resolver that takes one note as a whole loses the changes of the other one, on purpose.
  @Test func takesTheLatestNote() throws {
    try ConflictResolverCheck(expecting: .lastWriterWins) { conflict in
      LatestNoteResolver().resolve(conflict)
    }.check(seeds: 1...1000)
  }

  /// The store passes live leaves only, as CDTDatastore does.
  @Test func mergesLiveNotes() throws {
    try ConflictResolverCheck(passing: .live) { conflict in NoteResolver().resolve(conflict) }
      .check(seeds: 1...1000)
  }
}

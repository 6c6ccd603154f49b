import Collections
import ObjectSimulation
import Simulation
import Testing

/// Under every interruption of a migration, no object is lost, and duplicates exist exactly if the
/// backend assigns the ids and the application lost them.
struct MigrationExplorerTests {
  /// The ends of a migration: with a flag, a deletion, both, or neither.
  static let ends: [(MigrationPlan.Flag?, Bool)] = [
    (nil, false), (nil, true), (.settings, false), (.settings, true), (.store, false),
    (.store, true),
  ]

  /// All sequences with two interruptions.
  @Test(arguments: ends, [false, true])
  func smallStores(end: (MigrationPlan.Flag?, Bool), keepsIDs: Bool) throws {
    // Batches of one object take longer, so one combination is enough.
    let batches: [Int64?] = end == (.settings, true) ? [nil, 1] : [nil]
    for batch in batches {
      var explorer = MigrationExplorer(
        MigrationScope(
          batch: batch, flag: end.0, deletesLocally: end.1, keepsIDs: keepsIDs))
      let finding = try explorer.explore()
      #expect(finding == nil)
      #expect(explorer.report.ways > 250)
      #expect((explorer.report.repeating > 0) == !keepsIDs)
    }
  }

  /// Some random sequences, for a store of hundreds of objects.
  @Test(arguments: [false, true])
  func largeStores(keepsIDs: Bool) throws {
    var explorer = MigrationExplorer(
      MigrationScope(
        recipes: 60, ingredients: 4, batch: 25, deletesLocally: true, keepsIDs: keepsIDs,
        interruptions: 4))
    let finding = try explorer.sample(8, seed: 1)
    #expect(finding == nil)
    #expect(explorer.report.deaths > 8)
    #expect((explorer.report.repeating > 0) == !keepsIDs)
  }
}

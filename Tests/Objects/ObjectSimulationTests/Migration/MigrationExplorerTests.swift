import Collections
import ObjectSimulation
import Simulation
import Testing

/// Whatever interrupts a migration, nothing is lost, and things are there twice exactly when the backend
/// gives the ids and somebody forgot them.
struct MigrationExplorerTests {
  /// How a migration can end: by a flag, by a deletion, by both, or by none.
  static let ends: [(MigrationPlan.Flag?, Bool)] = [
    (nil, false), (nil, true), (.settings, false), (.settings, true), (.store, false),
    (.store, true),
  ]

  /// All ways with two interruptions.
  @Test(arguments: ends, [false, true])
  func smallStores(end: (MigrationPlan.Flag?, Bool), keepsIDs: Bool) throws {
    // Alone each object takes longer, and once is enough.
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

  /// Some ways by chance, through a store of hundreds of objects.
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

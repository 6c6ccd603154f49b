internal import Datastore
internal import JSON
internal import ObjectMapping

// Absent partners are recorded in the store, so that a program that starts after a crash has them.

extension StoreCoordinatorCache {
  /// Reads the record of absent objects.
  func readAbsences() throws(ContextError) {
    guard let store = store as? any BranchedRowStore else { return }
    do throws(StoreError) {
      for target in try store.readNotes()?.objectValue?.members ?? [] {
        for partner in target.value.objectValue?.members ?? [] {
          let absence: ConflictTally.Absence = partner.value == "deleted" ? .deleted : .unknown
          tally.absent[DocumentID(target.name), default: [:]][DocumentID(partner.name)] = absence
        }
        let id = DocumentID(target.name)
        tally.leavesAtAbsence[id] = tally.leaves[id] ?? []
      }
    } catch {
      throw ContextError(.store(error))
    }
  }

  /// Writes the record of absent objects, before anything is written that depends on it.
  func recordAbsences() throws(StoreError) {
    guard let store = store as? any BranchedRowStore else { return }
    var notes = JSONObject()
    for target in tally.absent.keys.inByteOrder {
      let partners = tally.absent[target] ?? [:]
      notes[target.text] = .object(
        JSONObject(
          partners.keys.inByteOrder.map { partner in
            (partner.text, .string(partners[partner] == .deleted ? "deleted" : "unknown"))
          }))
    }
    try store.writeNotes(.object(notes))
  }
}

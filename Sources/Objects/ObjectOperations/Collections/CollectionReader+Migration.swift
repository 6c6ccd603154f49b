internal import Collections
internal import Datastore
internal import JSON

// Parsing of migrations.

extension CollectionReader {
  static func plan(
    _ move: ObjectMove, _ collections: [CollectionDescription]
  ) throws(DatastoreError) -> MigrationPlan {
    var plan = MigrationPlan(
      collections, batch: move.batch, flag: nil, deletesLocally: move.deletes ?? false)
    switch move.flag {
    case nil: plan.flag = .settings
    case "none"?: plan.flag = nil
    case let flag: plan.flag = try choice(flag, "flag")
    }
    switch move.ids {
    case nil, "backend"?: plan.keepsIDs = false
    case "local"?: plan.keepsIDs = true
    default: throw misspelt("ids")
    }
    return plan
  }

  static func costs(_ move: ObjectMove) throws(DatastoreError) -> MigrationRunner.Costs {
    var costs = MigrationRunner.Costs(readsInBackground: move.background ?? true)
    guard let json = move.costs else { return costs }
    try reading { () throws(DecodingFailure) in
      var reader = try ObjectReader(json, path: "costs")
      if let cost = try reader.optionalInteger("reading") { costs.reading = UInt64(clamping: cost) }
      if let cost = try reader.optionalInteger("saving") { costs.saving = UInt64(clamping: cost) }
      try reader.finish()
    }
    return costs
  }
}

extension MigrationEffect {
  /// The step as encoded in results.
  var json: JSONValue {
    switch self {
    case .readFlag: ["step": "readFlag"]
    case .count: ["step": "count"]
    case .readPage(let collection, _, _):
      ["step": "read", "collection": .string(collection.name)]
    case .save(let collection, let objects):
      [
        "step": "save", "collection": .string(collection.name),
        "objects": .integer(Int64(objects.count)),
      ]
    case .setFlag: ["step": "setFlag"]
    case .delete(let objects): ["step": "delete", "objects": .integer(Int64(objects.count))]
    }
  }
}

extension CollectionMigration.State {
  /// The state as a word, and its error.
  var encoded: (state: JSONString, problem: JSONValue?) {
    switch self {
    case .idle, .running: ("running", nil)
    case .skipped: ("skipped", nil)
    case .done: ("done", nil)
    case .failed(.saving(let error)): ("failed", error.json)
    case .failed(.storing):
      (
        "failed",
        ["reason": "storing", "code": 134060, "failures": [], "succeeded": [], "queued": []]
      )
    }
  }
}

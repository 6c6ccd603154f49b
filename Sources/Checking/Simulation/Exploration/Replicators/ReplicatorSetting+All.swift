internal import Datastore
internal import JSON

extension ReplicatorSetting {
  /// All settings, those with two events per run first.
  public static let all: [ReplicatorSetting] =
    [1, 2].flatMap { plain(batch: $0) } + [filtered, selected, validated, bothWays, pieces, many]

  /// Two documents with two leaves each, one with an attachment, and two others. Each page of
  /// changes has 1 or 2 of them, so there are 5 or 3 pages.
  private static func plain(batch: Int64) -> [ReplicatorSetting] {
    var late = ReplicatorSetting(
      "plain-\(batch)",
      "Five documents, batch size \(batch), one checkpoint at the end of a run.")
    late.batch = batch
    var early = ReplicatorSetting(
      "early-\(batch)",
      "Five documents, batch size \(batch), a checkpoint as soon as one is possible.")
    early.batch = batch
    early.savesEarly = true
    // A machine behind `replicate` is always woken at the time that it requests.
    early.isForForeign = false
    return [late, early]
  }

  private static var filtered: ReplicatorSetting {
    var setting = ReplicatorSetting(
      "filtered", "The first run copies two documents, the next ones copy everything.")
    setting.filters = [.documentIDs(["b", "p"]), nil, nil]
    setting.admits = { run, record in run > 0 || record.id == "b" || record.id == "p" }
    setting.eventsMax = 1
    return setting
  }

  private static var selected: ReplicatorSetting {
    var setting = ReplicatorSetting(
      "selected", "The first run has one selector, the next ones have another.")
    let second = selector(["$or": [["kind": "one"], ["_rev": "3-b3"]]])
    setting.filters = [selector(["kind": "two"]), second, second]
    setting.admits = { run, record in
      let kind = record.body.objectValue?["kind"]?.textValue
      return run == 0 ? kind == "two" : kind == "one" || record.path.first == "3-b3"
    }
    setting.eventsMax = 1
    return setting
  }

  /// The filter of a selector; nil, an invalid selector, would cause a run that copies too much.
  private static func selector(_ json: JSONValue) -> Filter? {
    try? Filter(["selector": json], path: "filter")
  }

  private static var validated: ReplicatorSetting {
    var setting = ReplicatorSetting(
      "validated", "The validation of the target rejects one document.")
    setting.refusal = .bodyFieldEquals(field: "kind", value: "secret")
    setting.admits = { _, record in record.body.objectValue?["kind"] != "secret" }
    setting.batch = 2
    setting.eventsMax = 1
    return setting
  }

  private static var bothWays: ReplicatorSetting {
    var setting = ReplicatorSetting(
      "both-ways", "A run from the target to the source precedes.")
    setting.reversesFirst = true
    setting.eventsMax = 1
    return setting
  }

  private static var pieces: ReplicatorSetting {
    var setting = ReplicatorSetting(
      "pieces", "Messages are small, so that the attachment is transferred in pieces.")
    setting.inlineBytesMax = 64
    setting.eventsMax = 1
    setting.isForForeign = false
    return setting
  }

  private static var many: ReplicatorSetting {
    var setting = ReplicatorSetting("many", "More than ten documents, batch size 4.")
    setting.documentsMore = 8
    setting.batch = 4
    setting.eventsMax = 1
    return setting
  }
}

internal import Conformance

// Options that several commands share.

extension Manual.Option {
  static let vectors = Manual.Option(
    name: "--vectors", value: "DIR|FILE",
    help: "Read vectors from a folder with clauses.json, or from one file; "
      + "the default is \(VectorsLocation.environmentVariable) or the bundled corpus.")

  static let filter = Manual.Option(
    name: "--filter", value: "GLOB", isRepeatable: true,
    help: "Select vectors by id or clause; * matches any text, ? any one byte.")

  /// The implementation of a command that runs any.
  static let implementation = Manual.Option(
    name: "--implementation", value: "NAME", choices: ImplementationEntry.completions,
    help:
      "sqlite (the default), reference, an adapter such as exec:COMMAND, or a server such as "
      + "couchdb:http://127.0.0.1:5984 (couchdb-replicator:URL uses its own replicator).")
}

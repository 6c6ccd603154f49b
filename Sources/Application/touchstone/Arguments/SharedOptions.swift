internal import Conformance

// Options that several commands take in the same sense.

extension Manual.Option {
  static let vectors = Manual.Option(
    name: "--vectors", value: "DIR|FILE",
    help: "A folder with clauses.json and vectors, or one file of vectors; "
      + "\(VectorsLocation.environmentVariable) names one, too.")

  static let filter = Manual.Option(
    name: "--filter", value: "GLOB", isRepeatable: true,
    help: "Only vectors with such an id or clause; * is any text, ? any one byte.")
}

extension Corpus {
  /// The corpus that comes with Touchstone, or the one that the environment names; read once per process.
  ///
  /// Throws the differences when files or vectors are not as its manifest says: tests over a corpus
  /// of which vectors are missing would pass. A corpus with another manifest than the released one
  /// is returned; `integrity` says so, and tests that pass with it prove no conformance.
  public static func standard() throws(CorpusError) -> Corpus {
    OperationFamily.registerObjects()
    return try released()
  }

  /// The corpus in a folder; throws all the problems that reading finds.
  public static func reading(folder: String) throws(CorpusError) -> Corpus {
    OperationFamily.registerObjects()
    return try Corpus(folder: folder)
  }
}

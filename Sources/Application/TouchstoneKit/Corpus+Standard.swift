extension Corpus {
  /// Returns the corpus that comes with Touchstone, or the one named by the environment; read once
  /// per process.
  ///
  /// Throws the differences if files or vectors differ from the manifest, because tests over an
  /// incomplete corpus would pass. Returns a corpus with another manifest than the released one;
  /// `integrity` reports it, and tests that pass with it prove no conformance.
  public static func standard() throws(CorpusError) -> Corpus {
    OperationFamily.registerObjects()
    return try released()
  }

  /// Returns the corpus in a folder; throws all problems found while reading.
  public static func reading(folder: String) throws(CorpusError) -> Corpus {
    OperationFamily.registerObjects()
    return try Corpus(folder: folder)
  }
}

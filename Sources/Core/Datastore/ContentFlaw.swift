/// A declared way in which contents under one revision id differ.
public enum ContentFlaw: Hashable, Sendable {
  /// A revision id depends only on the low byte of each UTF-16 code unit in the texts of a body
  /// (EDIT-018).
  case highBytesOfTexts
  /// The revision id of a deleted document that is created again does not depend on its attachments,
  /// and another replica may keep those that the document had before (EDIT-018).
  case attachmentsOfRecreations
  /// The store's own replicator stores the bytes that another revision of the document has under the
  /// same name (REPL-027).
  case attachmentsOfOtherRevisions
}

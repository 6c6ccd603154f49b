extension Query {
  /// Rows of the table `attachment`.
  var attachmentSQL: String {
    switch self {
    case .attachments:
      """
      SELECT name, type, digest, length, revpos, encoding, size, md5, place FROM attachment
      WHERE document = ?1 AND generation = ?2 AND rev = ?3 ORDER BY name
      """
    case .attachment:
      """
      SELECT name, type, digest, length, revpos, encoding, size, md5 FROM attachment
      WHERE document = ?1 AND generation = ?2 AND rev = ?3 AND name = ?4
      """
    case .insertAttachment:
      """
      INSERT INTO attachment
        (document, generation, rev, name, type, digest, length, revpos, encoding, size, md5, place)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
      """
    case .deleteAttachments:
      "DELETE FROM attachment WHERE document = ?1 AND generation = ?2 AND rev = ?3"
    case .deleteAttachmentsUpTo: "DELETE FROM attachment WHERE document = ?1 AND generation <= ?2"
    default:
      """
      DELETE FROM attachment WHERE EXISTS (
        SELECT 1 FROM revision r WHERE r.document = attachment.document
          AND r.generation = attachment.generation AND r.rev = attachment.rev AND r.leaf = 0)
      """
    }
  }

  /// Rows of the tables `blob` and `upload`.
  var blobSQL: String {
    switch self {
    case .blob: "SELECT size FROM blob WHERE digest = ?1"
    case .insertBlob: "INSERT INTO blob (digest, size) VALUES (?1, ?2)"
    case .dropUnusedBlobs:
      "DELETE FROM blob WHERE digest NOT IN (SELECT digest FROM attachment)"
    case .upload: "SELECT number, length FROM upload WHERE digest = ?1"
    case .setUpload:
      "INSERT OR REPLACE INTO upload (digest, number, length) VALUES (?1, ?2, ?3)"
    case .deleteUpload: "DELETE FROM upload WHERE digest = ?1"
    default: "DELETE FROM upload"
    }
  }
}

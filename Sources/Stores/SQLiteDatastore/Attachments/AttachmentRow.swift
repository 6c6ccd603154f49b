internal import Datastore
internal import JSON

/// A row of the table `attachment`.
struct AttachmentRow {
  let name: JSONString
  let type: JSONString
  let digest: BlobDigest
  /// The number of bytes, decoded if there is an encoding.
  let length: Int64
  let revpos: Int64
  let encoding: JSONString?
  /// The number of bytes as stored.
  let size: Int64
  /// The MD5 of the content as CouchDB would store it; empty unless revision ids are computed as in
  /// CouchDB.
  let md5: [UInt8]

  /// The attachment as returned to clients.
  var stub: RevisionAttachment {
    RevisionAttachment(
      name, .stub, type: type, digest: digest.text, length: length, revpos: revpos,
      encoding: encoding, encodedLength: encoding == nil ? nil : size)
  }
}

/// Content that is being uploaded in chunks, as far as it is stored.
struct Upload {
  let digest: BlobDigest
  /// Distinguishes the file from those of earlier attempts.
  let number: Int64
  let length: Int64
}

extension Rows {
  /// An attachment from the columns of `Query.attachments`.
  func attachment() throws(DatastoreError) -> AttachmentRow {
    AttachmentRow(
      name: try text(0), type: try text(1), digest: BlobDigest(bytes: Array(bytes(2))),
      length: try count(3), revpos: integer(4), encoding: isNull(5) ? nil : try text(5),
      size: try count(6), md5: Array(bytes(7)))
  }

  /// An upload from its number and its length.
  func upload(_ digest: BlobDigest) throws(DatastoreError) -> Upload {
    Upload(digest: digest, number: try count(0), length: try count(1))
  }
}

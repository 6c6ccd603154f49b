extension Query {
  /// Live documents with the bodies of their winners: id, winner, body, document.
  ///
  /// CROSS JOIN makes SQLite read the tables in the order in which they are named.
  var findSQL: String {
    let columns = "SELECT d.id, d.winner, \(Self.body(of: "r")), d.document FROM"
    // A name begins with its generation.
    let winner = """
      CROSS JOIN revision r ON r.document = d.document
        AND r.generation = CAST(d.winner AS INTEGER) AND r.rev = d.winner
      """
    let ordered = """
      \(columns) entry e CROSS JOIN document d ON d.deleted = 0 AND d.id = e.id \(winner)
      WHERE e.number = ?1 AND e.own = 1 ORDER BY e.key
      """
    switch self {
    case .scan:
      return "\(columns) document d NOT INDEXED \(winner) WHERE d.deleted = 0 ORDER BY d.sequence"
    case .scanByID: return "\(columns) document d \(winner) WHERE d.deleted = 0 ORDER BY d.id"
    case .liveBody: return "\(columns) document d \(winner) WHERE d.deleted = 0 AND d.id = ?1"
    case .entries:
      return """
        \(columns) entry e CROSS JOIN document d ON d.deleted = 0 AND d.id = e.id \(winner)
        WHERE e.number = ?1 AND e.key >= ?2 AND e.key < ?3 ORDER BY e.key, e.id
        """
    case .ordered: return "\(ordered), e.id"
    default: return "\(ordered) DESC, e.id"
    }
  }

  /// Rows of the tables `field_index` and `entry`.
  var indexSQL: String {
    switch self {
    case .indexes: "SELECT number, name, type, fields FROM field_index ORDER BY name"
    case .insertIndex:
      "INSERT INTO field_index (number, name, type, fields) VALUES (?1, ?2, ?3, ?4)"
    case .deleteIndex: "DELETE FROM field_index WHERE number = ?1"
    case .entriesOf: "SELECT number, key, own FROM entry INDEXED BY entry_by_id WHERE id = ?1"
    case .insertEntry:
      "INSERT OR REPLACE INTO entry (number, key, id, own) VALUES (?1, ?2, ?3, ?4)"
    case .deleteEntry: "DELETE FROM entry WHERE number = ?1 AND key = ?2 AND id = ?3"
    default: "DELETE FROM entry WHERE number = ?1"
    }
  }
}

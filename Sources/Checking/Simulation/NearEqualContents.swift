internal import Datastore
internal import JSON

/// Contents that differ only in what careless code takes for equal, and encodings of one value that
/// such code takes for different.
///
/// Two replicas that give one revision id to two of them never exchange them.
enum NearEqualContents {
  /// Groups of bodies: two bodies of a group are near-equal.
  ///
  /// - Parameter isExact: whether integers above 2^53 and NUL in member names are kept, as
  ///   `exact-numbers` requires.
  static func bodies(isExact: Bool) -> [[JSONValue]] {
    let large: [JSONValue] = [
      ["n": 9_007_199_254_740_992], ["n": 9_007_199_254_740_993],
      ["n": .double(9_007_199_254_740_992)],
    ]
    let unsigned: [JSONValue] = [
      ["n": .integer(.max)], ["n": JSONValue(UInt64(1) << 63)], ["n": .double(0x1p63)],
      ["n": .integer(.min)],
    ]
    let names: [JSONValue] = [["a": 1], ["a\u{0}": 1], ["a\u{0}b": 1]]
    return groups + (isExact ? [large, unsigned, names] : [])
  }

  private static let groups: [[JSONValue]] = [
    // Code points equal modulo 256 and modulo 65,536.
    [["t": "a"], ["t": "\u{161}"], ["t": "\u{10061}"]],
    [["a": 1], ["\u{161}": 1], ["\u{10061}": 1]],
    // Composed and decomposed, and compatible characters.
    [["t": "\u{e9}"], ["t": "e\u{301}"], ["t": "e"]],
    [["\u{e9}": 1], ["e\u{301}": 1]],
    [["t": "\u{fb01}"], ["t": "fi"]],
    // Kinds of values. 1 and 1.0 are equal.
    [["n": 1], ["n": true], ["n": .double(1)], ["n": "1"]],
    [["n": 0], ["n": false], ["n": -0.0], ["n": .null], ["n": ""], [:]],
    [["n": []], ["n": [:]], ["n": .null], ["n": [.null]]],
    // Numbers that are equal with fewer bits.
    [["n": 9_007_199_254_740_991], ["n": 9_007_199_254_740_992]],
    [["n": 16_777_216], ["n": 16_777_217]],
    [["n": 4_294_967_297], ["n": 1]],
    [["n": 0.1], ["n": 0.10000000000000002], ["n": "0.1"]],
    // The order of members does not count, and that of elements does.
    [["a": 1, "b": 2], ["b": 2, "a": 1]],
    [["o": ["a": 1, "b": [:]]], ["o": ["b": [:], "a": 1]]],
    [["l": [1, 2]], ["l": [2, 1]]],
    // Null and absent.
    [["a": 1], ["a": 1, "b": .null], ["a": 1, "b": [:]]],
    // Case, spaces, and the end of a text.
    [["t": "ab"], ["t": "AB"], ["t": "Ab"]],
    [["a": 1], ["A": 1]],
    [["t": "\u{df}"], ["t": "ss"], ["t": "SS"]],
    [["t": "a"], ["t": "a "], ["t": " a"], ["t": "a\u{0}"], ["t": "a\u{0}b"]],
  ]

  /// Groups of ids of documents and of local documents, with a prefix of their own.
  static let ids: [[DocumentID]] = [
    ["n-a", "n-A"], ["n-\u{e9}", "n-e\u{301}"], ["n-a", "n-\u{161}"], ["n-a", "n-a "],
  ]

  /// Groups of sets of attachments: two sets of a group are near-equal.
  ///
  /// - Parameter hasEncodings: whether ids cover encodings.
  static func attachments(hasEncodings: Bool) -> [[[RevisionAttachment]]] {
    let groups: [[[RevisionAttachment]]] = [
      // Types: another one, another case of letters, parameters.
      [one(abc), one(abc, type: "text/html")],
      [one(abc), one(abc, type: "Text/Plain"), one(abc, type: "TEXT/PLAIN")],
      [
        one(abc), one(abc, type: "text/plain; charset=utf-8"),
        one(abc, type: "text/plain;charset=utf-8"),
      ],
      // Names: another case of letters, composed and decomposed.
      [one(abc), one(abc, name: "A")],
      [one(abc, name: "\u{e9}"), one(abc, name: "e\u{301}")],
      // Contents: none, of equal length, with digests whose first 5 bytes are equal.
      [[], one("")],
      [one(abc), one("YWJk"), one("AAAA")],
      [one("MDAyMjA1NzU2"), one("MDAyNDA3NDQ5")],
      // The contents of two names.
      [one(abc) + one("", name: "b"), one("") + one(abc, name: "b")],
    ]
    guard hasEncodings else { return groups }
    let encoded = RevisionAttachment("a", .data(gzip), type: "text/plain", encoding: "gzip")
    // Equal bytes as stored, and equal bytes after decoding.
    return groups + [[one(gzip), [encoded]], [one(plain), [encoded]]]
  }

  /// A set of one attachment.
  private static func one(
    _ data: JSONString, name: JSONString = "a", type: JSONString = "text/plain"
  ) -> [RevisionAttachment] { [RevisionAttachment(name, .data(data), type: type)] }

  private static let abc: JSONString = "YWJj"
  /// 10 bytes.
  private static let plain: JSONString = "aGVsbG8gZ3ppcA=="
  /// The same, compressed.
  private static let gzip: JSONString = "H4sIAAAAAAAAA8tIzcnJV0ivyiwAABlq0t8KAAAA"
}

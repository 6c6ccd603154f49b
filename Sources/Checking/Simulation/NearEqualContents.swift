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

  /// Groups of sets of attachments.
  ///
  /// - Parameter hasEncodings: whether ids cover encodings.
  static func attachments(hasEncodings: Bool) -> [[[RevisionAttachment]]] {
    var groups: [[[RevisionAttachment]]] = [
      [
        [RevisionAttachment("a", .data(abc), type: "text/plain")],
        [RevisionAttachment("a", .data(abc), type: "text/html")],
        [RevisionAttachment("a", .data(abc), type: "Text/Plain")],
      ],
      [
        [RevisionAttachment("a", .data(abc), type: "text/plain")],
        [RevisionAttachment("A", .data(abc), type: "text/plain")],
      ],
      [
        [RevisionAttachment("\u{e9}", .data(abc), type: "text/plain")],
        [RevisionAttachment("e\u{301}", .data(abc), type: "text/plain")],
      ],
      [[], [RevisionAttachment("a", .data(""), type: "text/plain")]],
      [
        [
          RevisionAttachment("a", .data(abc), type: "text/plain"),
          RevisionAttachment("b", .data(""), type: "text/plain"),
        ],
        [
          RevisionAttachment("a", .data(""), type: "text/plain"),
          RevisionAttachment("b", .data(abc), type: "text/plain"),
        ],
      ],
    ]
    if hasEncodings {
      groups.append([
        [RevisionAttachment("a", .data(gzip), type: "text/plain")],
        [RevisionAttachment("a", .data(gzip), type: "text/plain", encoding: "gzip")],
      ])
    }
    return groups
  }

  private static let abc: JSONString = "YWJj"
  /// 10 bytes, compressed.
  private static let gzip: JSONString = "H4sIAAAAAAAAA8tIzcnJV0ivyiwAABlq0t8KAAAA"
}

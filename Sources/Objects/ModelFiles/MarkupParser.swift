internal import CExpat
internal import JSON

/// The parser of XML, which is expat.
///
/// A file can neither declare entities nor name other files to read: an internal DTD and a
/// reference to an undeclared entity are errors, and the parser never reads an external DTD.
/// Depth and number of elements are limited.
enum MarkupParser {
  /// The greatest depth of elements.
  static let maximumDepth = 32
  /// The greatest number of elements in a file. A model of 100 entities has about 3,000.
  static let maximumCount = 50_000

  /// Returns the root element of a text.
  static func parse(_ bytes: [UInt8]) throws(MarkupFailure) -> MarkupElement {
    guard let parser = XML_ParserCreate(nil) else {
      throw MarkupFailure(line: 1, what: "out of memory", expected: nil)
    }
    defer { XML_ParserFree(parser) }
    let tree = MarkupTree(parser)
    return try withExtendedLifetime(tree) { () throws(MarkupFailure) in
      XML_SetUserData(parser, Unmanaged.passUnretained(tree).toOpaque())
      setHandlers(of: parser)
      let status = bytes.withUnsafeBytes { buffer in
        // The length of an `Int32` is checked by the reader of files.
        XML_Parse(
          parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), 1)
      }
      if let failure = tree.failure { throw failure }
      guard status == XML_STATUS_OK, let root = tree.root else {
        let code = XML_GetErrorCode(parser)
        let reason = XML_ErrorString(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
        throw MarkupFailure(
          line: Int(XML_GetCurrentLineNumber(parser)), what: "invalid XML: \(reason)",
          expected: nil)
      }
      return root
    }
  }

  private static func setHandlers(of parser: XML_Parser) {
    XML_SetElementHandler(
      parser,
      { data, name, attributes in MarkupTree.of(data)?.start(name, attributes) },
      { data, _ in MarkupTree.of(data)?.end() })
    XML_SetCharacterDataHandler(parser) { data, characters, count in
      MarkupTree.of(data)?.add(characters, count)
    }
    XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, hasInternalSubset in
      if hasInternalSubset != 0 {
        MarkupTree.of(data)?.fail("the file has an internal DTD", expected: "no declarations")
      }
    }
    // Without this handler, the parser drops references that an external DTD may declare.
    XML_SetSkippedEntityHandler(parser) { data, _, _ in
      MarkupTree.of(data)?.fail("undeclared entity", expected: "one of XML, such as &amp;")
    }
  }
}

/// The elements that a parser has read, for its callbacks.
private final class MarkupTree {
  private let parser: XML_Parser
  private var open: [MarkupElement] = []
  private var count = 0
  private(set) var root: MarkupElement?
  private(set) var failure: MarkupFailure?

  init(_ parser: XML_Parser) { self.parser = parser }

  static func of(_ data: UnsafeMutableRawPointer?) -> MarkupTree? {
    data.map { Unmanaged<MarkupTree>.fromOpaque($0).takeUnretainedValue() }
  }

  private var line: Int { Int(XML_GetCurrentLineNumber(parser)) }

  func fail(_ what: String, expected: String) {
    guard failure == nil else { return }
    failure = MarkupFailure(line: line, what: what, expected: expected)
    XML_StopParser(parser, XML_Bool(XML_FALSE))
  }

  func start(
    _ name: UnsafePointer<XML_Char>?, _ list: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
  ) {
    // The parser may call once more after it was stopped.
    guard failure == nil, let name else { return }
    count += 1
    guard open.count < MarkupParser.maximumDepth else {
      return fail("too deep", expected: "at most \(MarkupParser.maximumDepth) nested elements")
    }
    guard count <= MarkupParser.maximumCount else {
      return fail("too many elements", expected: "at most \(MarkupParser.maximumCount)")
    }
    var attributes: [(name: JSONString, value: JSONString)] = []
    var place = 0
    while let list, let name = list[place], let value = list[place + 1] {
      attributes.append((JSONString(String(cString: name)), JSONString(String(cString: value))))
      place += 2
    }
    open.append(
      MarkupElement(name: JSONString(String(cString: name)), attributes: attributes, line: line))
  }

  func end() {
    guard failure == nil, let element = open.popLast() else { return }
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }

  func add(_ characters: UnsafePointer<XML_Char>?, _ count: Int32) {
    guard failure == nil, !open.isEmpty, let characters else { return }
    let bytes = UnsafeRawBufferPointer(start: characters, count: Int(count))
    open[open.count - 1].text += String(decoding: bytes, as: UTF8.self)
  }
}

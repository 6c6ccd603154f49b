import Testing

/// Reads a page strictly: every element is closed in order, every attribute is quoted, no id occurs
/// twice, and every link has a target on the page.
struct PageReader {
  private(set) var problems: [String] = []
  private(set) var ids: Set<String> = []
  private(set) var links: [String] = []
  /// The text of the elements of a class, by class.
  private(set) var texts: [String: [String]] = [:]

  private static let empty: Set<String> = ["meta", "br"]

  init(_ html: String) {
    var open: [(name: String, classes: [String], text: String)] = []
    var rest = html[...]
    func append(_ text: Substring) {
      for place in open.indices { open[place].text += text }
    }
    while let start = rest.firstIndex(of: "<") {
      append(rest[..<start])
      guard let end = rest[start...].firstIndex(of: ">") else {
        problems.append("a tag has no end")
        break
      }
      let tag = String(rest[rest.index(after: start)..<end])
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("!doctype") { continue }
      if tag.hasPrefix("/") {
        let name = String(tag.dropFirst())
        guard let last = open.popLast(), last.name == name else {
          problems.append("</\(name)> closes nothing")
          break
        }
        for each in last.classes { texts[each, default: []].append(last.text) }
        continue
      }
      let isClosed = tag.hasSuffix("/")
      let (name, attributes) = attributes(of: isClosed ? String(tag.dropLast()) : tag)
      if let id = attributes["id"], !ids.insert(id).inserted { problems.append("\(id) twice") }
      if let link = attributes["href"] { links.append(link) }
      if name == "script" || name == "style" {
        guard let close = rest.firstRange(of: "</\(name)>") else {
          problems.append("<\(name)> has no end")
          break
        }
        rest = rest[close.upperBound...]
        continue
      }
      guard !isClosed, !Self.empty.contains(name) else { continue }
      let classes = attributes["class"]?.split(separator: " ").map(String.init) ?? []
      open.append((name, classes + [name], ""))
    }
    if let last = open.last { problems.append("<\(last.name)> is open at the end") }
    for link in links where !(link.hasPrefix("#") && ids.contains(String(link.dropFirst()))) {
      problems.append("\(link) has no target")
    }
  }

  /// The name of a tag and its attributes.
  private mutating func attributes(of tag: String) -> (String, [String: String]) {
    let name = tag.prefix { !$0.isWhitespace }
    var rest = tag.dropFirst(name.count).drop { $0.isWhitespace }
    var attributes: [String: String] = [:]
    while !rest.isEmpty {
      let key = rest.prefix { $0 != "=" && !$0.isWhitespace }
      rest = rest.dropFirst(key.count)
      guard rest.first == "=" else {
        attributes[String(key)] = ""
        rest = rest.drop { $0.isWhitespace }
        continue
      }
      rest = rest.dropFirst()
      guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else {
        problems.append("\(key) of <\(name)> is not quoted")
        break
      }
      attributes[String(key)] = String(rest[rest.index(after: rest.startIndex)..<end])
      rest = rest[rest.index(after: end)...].drop { $0.isWhitespace }
    }
    return (String(name), attributes)
  }
}

struct PageReaderTests {
  /// The reader rejects what it is for.
  @Test func theReaderRejects() {
    #expect(PageReader("<p id=\"a\">x<br></p><a href=\"#a\">y</a>").problems == [])
    #expect(PageReader("<p><b></p></b>").problems != [])
    #expect(PageReader("<p>").problems != [])
    #expect(PageReader("<p id=a></p>").problems != [])
    #expect(PageReader("<p id=\"a\"></p><p id=\"a\"></p>").problems != [])
    #expect(PageReader("<a href=\"#b\">x</a>").problems != [])
    #expect(PageReader("<td class=\"bad\">x<b>y</b></td>").texts["bad"] == ["xy"])
  }
}

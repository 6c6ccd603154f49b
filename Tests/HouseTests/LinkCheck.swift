import Foundation

/// The links between the pages of a source tree.
struct LinkCheck {
  /// Paths of all files from the top of the tree.
  let files: Set<String>
  let pages: [String: MarkdownPage]

  /// - Parameter read: returns the text of a page.
  init(files: Set<String>, read: (_ path: String) throws -> String) rethrows {
    self.files = files
    var pages: [String: MarkdownPage] = [:]
    for path in files where path.hasSuffix(".md") { pages[path] = MarkdownPage(try read(path)) }
    self.pages = pages
  }

  /// The files of this package that are under version control or could be.
  static func ofThisPackage() throws -> LinkCheck {
    try LinkCheck(files: try files(below: SourceTree.top)) { path in
      try String(contentsOf: SourceTree.top.appending(path: path), encoding: .utf8)
    }
  }

  /// Returns a sentence for each dangling link of a page.
  func problems(in path: String) -> [String] {
    guard let page = pages[path] else { return ["\(path) is not a page"] }
    return page.undefined.map { "\(path):\($0.line): no definition of [\($0.target)]" }
      + page.links.compactMap { link in
        problem(with: link.target, in: path).map { "\(path):\(link.line): \(link.target): \($0)" }
      }
  }

  /// Returns the pages that links reach from a page, directly or through other pages.
  func reachable(from start: String) -> Set<String> {
    var found: Set<String> = [start]
    var open = [start]
    while let path = open.popLast() {
      for link in pages[path]?.links ?? [] {
        guard let place = Self.place(of: link.target, in: path) else { continue }
        if pages[place.file] != nil, found.insert(place.file).inserted { open.append(place.file) }
      }
    }
    return found
  }

  /// Returns why a target does not resolve; nil if it does, or if it is on another host.
  private func problem(with target: String, in path: String) -> String? {
    if target.isEmpty { return "the target is empty" }
    if target.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:/) != nil { return nil }
    guard let place = Self.place(of: target, in: path) else {
      return "the target is outside of the package"
    }
    guard files.contains(place.file) || isFolder(place.file) else { return "no such file" }
    guard let anchor = place.anchor else { return nil }
    if let page = pages[place.file] {
      return page.anchors.contains(anchor) ? nil : "no heading has this anchor"
    }
    return anchor.wholeMatch(of: /L\d+(-L\d+)?/) != nil ? nil : "only pages have anchors"
  }

  private func isFolder(_ path: String) -> Bool {
    path.isEmpty || files.contains { $0.hasPrefix("\(path)/") }
  }

  /// The file that a relative target names, and the anchor in it; nil outside of the tree.
  private static func place(of target: String, in path: String) -> (file: String, anchor: String?)?
  {
    let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let anchor = parts.count == 2 ? String(parts[1]).removingPercentEncoding : nil
    guard !parts[0].isEmpty else { return (path, anchor) }
    guard !parts[0].hasPrefix("/"), let name = String(parts[0]).removingPercentEncoding else {
      return nil
    }
    var folders = path.split(separator: "/").dropLast().map(String.init)
    for part in name.split(separator: "/") where part != "." {
      if part != ".." {
        folders.append(String(part))
      } else if folders.popLast() == nil {
        return nil
      }
    }
    return (folders.joined(separator: "/"), anchor)
  }

  /// Files that git tracks or would add; without git all files outside of hidden folders.
  private static func files(below top: URL) throws -> Set<String> {
    let listed = (try? tracked(below: top)) ?? []
    let paths =
      listed.isEmpty
      ? try FileManager.default.subpathsOfDirectory(atPath: top.path()).filter { path in
        !path.split(separator: "/").contains { $0.hasPrefix(".") }
      } : listed
    return Set(
      paths.filter { FileManager.default.fileExists(atPath: top.appending(path: $0).path()) })
  }

  private static func tracked(below top: URL) throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "git", "-C", top.path(), "ls-files", "-z", "--cached", "--others", "--exclude-standard",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\0").map(String.init)
  }
}

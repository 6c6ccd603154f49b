import Foundation

/// The modules of the package as `Package.swift` declares them.
struct PackageManifest {
  struct Module: CustomStringConvertible {
    var name: String
    /// The folder below `Sources` that contains it.
    var group: String
    var dependencies: Set<String>

    var description: String { name }
  }

  /// The groups, lowest first.
  let groups: [String]
  /// The modules and system libraries in the order of their declarations.
  let modules: [Module]

  init() throws {
    let path = SourceTree.top.appending(path: "Package.swift")
    let text = try String(contentsOf: path, encoding: .utf8)
    let group = /let (?<variable>\w+) = Group\(name: "(?<name>\w+)"/
    var names: [Substring: String] = [:]
    var groups: [String] = []
    for match in text.matches(of: group) {
      names[match.variable] = String(match.name)
      groups.append(String(match.name))
    }
    self.groups = groups
    let module =
      #/
      (?<group>\w+)\.(?:module|httpModule|program|library)\(\s*
      "(?<name>\w+)",?\s*(?:\[(?<list>[^\]]*)\])?
      (?:\s*\+\ onlyWithHTTP\(\[(?<more>[^\]]*)\]\))?
      /#
    modules = text.matches(of: module).compactMap { match in
      guard let group = names[match.group] else { return nil }
      let dependencies = "\(match.list ?? "") \(match.more ?? "")".matches(of: /"(?<name>\w+)"/).map
      { String($0.name) }
      return Module(name: String(match.name), group: group, dependencies: Set(dependencies))
    }
  }
}

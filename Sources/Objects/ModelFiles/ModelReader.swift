internal import JSON
internal import ObjectMapping

/// Reads the XML of a model.
struct ModelReader {
  /// The path of the file, for errors and warnings.
  let path: String
  private(set) var warnings: [ModelFileWarning] = []
  /// The lines of entities and properties, by their paths in errors of models.
  private var lines: [String: Int] = [:]
  var renamingIDs = RenamingIDs()

  init(path: String) { self.path = path }

  /// An entity before it has its inherited properties.
  struct Draft {
    var entity: EntityDescription
    let parent: JSONString?
    let element: MarkupElement
  }

  /// Returns the model of a file.
  mutating func model(_ bytes: [UInt8]) throws(ModelFileError) -> ManagedObjectModel {
    let root: MarkupElement
    do throws(MarkupFailure) { root = try MarkupParser.parse(bytes) } catch {
      throw ModelFileError(
        path: path, line: error.line, what: error.what, expected: error.expected)
    }
    guard root.name == "model" else {
      throw error(
        root, "the root element is <\(root.name)>",
        expected: "<model>, as in the file 'contents' of a folder .xcdatamodel")
    }
    if let type = root["type"], type != "com.apple.IDECoreDataModeler.DataModel" {
      throw error(
        root, "the model has the type '\(type)'",
        expected: "com.apple.IDECoreDataModeler.DataModel")
    }
    checkMembers(root, of: "model", known: ModelVocabulary.modelMembers)
    var drafts: [Draft] = []
    for element in root.children {
      switch element.name {
      case "entity": drafts.append(try entity(element))
      case "configuration":
        warn(
          element, .configuration, in: name(of: element),
          message: "configurations have no effect")
      case "fetchRequest":
        warn(
          element, .fetchRequest, in: name(of: element),
          message: "fetch requests of models are left out: fetch with a predicate instead")
      case "compositeAttribute", "composite":
        throw error(
          element, "composite attribute '\(name(of: element))'",
          expected: "separate attributes: the document format has no type for composites")
      case "elements": continue
      default: warnUnknown(element, in: "model")
      }
    }
    var entities = try inheriting(drafts)
    dropInverses(&entities, drafts)
    let ordered = warnings.enumerated().sorted {
      ($0.element.line, $0.offset) < ($1.element.line, $1.offset)
    }
    warnings = ordered.map { $0.element }
    do throws(ModelError) { return try ManagedObjectModel(entities) } catch {
      let part = error.path.hasPrefix("entities.") ? error.path.dropFirst(9) : error.path[...]
      throw ModelFileError(
        path: path, line: line(of: error.path), what: "\(part): \(error.message)")
    }
  }

  // MARK: Entities

  private mutating func entity(_ element: MarkupElement) throws(ModelFileError) -> Draft {
    let name = try requiredName(element, "entity", owner: nil)
    lines["entities.\(name)"] = element.line
    checkMembers(element, of: name.string, known: ModelVocabulary.entityMembers)
    warnHashModifier(element, name.string)
    if try flag(element, "isAbstract") {
      warn(
        element, .abstract, in: name.string,
        message: "the entity is abstract, but objects of it can be created")
    }
    var entity = EntityDescription(name)
    entity.renamedFrom = renaming(element, name)
    renamingIDs.entities[name] = entity.renamedFrom ?? name
    for child in element.children {
      switch child.name {
      case "attribute":
        if let attribute = try attribute(child, of: name) { entity.attributes.append(attribute) }
      case "relationship": entity.relationships.append(try relationship(child, of: name))
      case "fetchedProperty":
        throw error(
          child, "fetched property \(name).\(self.name(of: child))",
          expected: "a fetch with a predicate: stores of this format reject fetched properties")
      case "uniquenessConstraints":
        for constraint in child.children("uniquenessConstraint") {
          let fields = constraint.children("constraint").compactMap { $0["value"] }
          entity.uniquenessConstraints.append(fields)
        }
      case "userInfo", "fetchIndex", "compoundIndexes": continue
      default: warnUnknown(child, in: name.string)
      }
    }
    return Draft(entity: entity, parent: element.nonEmpty("parentEntity"), element: element)
  }

  // MARK: Names

  /// Returns a name that a document can have.
  mutating func requiredName(
    _ element: MarkupElement, _ kind: String, owner: JSONString?
  ) throws(ModelFileError) -> JSONString {
    guard let name = element.nonEmpty("name") else {
      let place = owner.map { " of \($0)" } ?? ""
      throw error(element, "the \(kind)\(place) has no name", expected: "the attribute 'name'")
    }
    let whole = owner.map { "\($0).\(name)" } ?? name.string
    guard !name.utf8.contains(UInt8(ascii: " ")) else {
      throw error(element, "the name of the \(kind) '\(whole)' contains a space", expected: "none")
    }
    if owner != nil { lines["entities.\(whole)"] = element.line }
    return name
  }

  private func name(of element: MarkupElement) -> String { element["name"]?.string ?? "" }

  /// The name in the previous model; nil if it did not change.
  func renaming(_ element: MarkupElement, _ name: JSONString) -> JSONString? {
    let old = element.nonEmpty("renamingIdentifier") ?? element.nonEmpty("elementID")
    return old == name ? nil : old
  }

  mutating func note(renamingOf element: MarkupElement, _ name: JSONString, of entity: JSONString) {
    renamingIDs.properties[entity, default: [:]][name] = renaming(element, name) ?? name
  }

  /// The line of the longest known part of a path.
  private func line(of path: String) -> Int? {
    var parts = path.split(separator: ".", omittingEmptySubsequences: false)
    while !parts.isEmpty {
      if let line = lines[parts.joined(separator: ".")] { return line }
      parts.removeLast()
    }
    return nil
  }

  // MARK: Errors and warnings

  func error(
    _ element: MarkupElement, _ what: String, expected: String? = nil
  ) -> ModelFileError {
    ModelFileError(path: path, line: element.line, what: what, expected: expected)
  }

  mutating func warn(
    _ element: MarkupElement, _ reason: ModelFileWarning.Reason, in part: String, message: String
  ) {
    warnings.append(
      ModelFileWarning(
        path: path, line: element.line, element: part, reason: reason, message: message))
  }

  private mutating func warnUnknown(_ element: MarkupElement, in part: String) {
    warn(
      element, .unknown, in: part,
      message: "the unknown element <\(element.name)> is ignored")
  }

  mutating func warnHashModifier(_ element: MarkupElement, _ part: String) {
    guard let modifier = element.nonEmpty("versionHashModifier") else { return }
    warn(
      element, .hashModifier, in: part,
      message:
        "the hash modifier '\(modifier)' has no effect: version hashes depend on stored data only")
  }

  /// Warns about unknown members of an element, and about unknown elements inside a property.
  mutating func checkMembers(_ element: MarkupElement, of part: String, known: Set<JSONString>) {
    for (name, _) in element.attributes where !known.contains(name) {
      warn(
        element, .unknown, in: part,
        message: "the unknown attribute '\(name)' of the file is ignored")
    }
  }

  mutating func checkChildren(_ element: MarkupElement, _ part: String) {
    for child in element.children where !ModelVocabulary.property.contains(child.name) {
      warnUnknown(child, in: part)
    }
  }

  /// Whether a member is YES; NO and a missing one are false.
  func flag(_ element: MarkupElement, _ name: JSONString) throws(ModelFileError) -> Bool {
    switch element[name] {
    case "YES": return true
    case "NO", "", nil: return false
    case let word?: throw error(element, "'\(name)' is '\(word)'", expected: "YES or NO")
    }
  }
}

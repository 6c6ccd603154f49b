internal import JSON
internal import ObjectMapping

/// The elements and attributes of model files.
///
/// Those of `harmless` change neither the values of objects, nor their documents, nor the rules for
/// values: they concern generated code, the editor, indexes and other services.
enum ModelVocabulary {
  static let model: Set<JSONString> = ["entity", "configuration", "fetchRequest", "elements"]
  static let entity: Set<JSONString> = [
    "attribute", "relationship", "fetchedProperty", "uniquenessConstraints", "userInfo",
    "fetchIndex", "compoundIndexes",
  ]
  static let property: Set<JSONString> = ["userInfo"]

  static let modelMembers: Set<JSONString> = [
    "type", "documentVersion", "name", "lastSavedToolsVersion", "systemVersion",
    "minimumToolsVersion", "sourceLanguage", "userDefinedModelVersionIdentifier", "macOSVersion",
    "iOSVersion", "usedWithCloudKit", "usedWithSwiftData",
  ]
  static let entityMembers: Set<JSONString> = [
    "name", "parentEntity", "isAbstract", "elementID", "renamingIdentifier",
    "versionHashModifier", "representedClassName", "codeGenerationType", "syncable",
    "coreSpotlightDisplayNameExpression", "coreSpotlightDisplayName",
  ]
  static let propertyMembers: Set<JSONString> = [
    "name", "optional", "transient", "elementID", "renamingIdentifier", "versionHashModifier",
    "syncable", "indexed", "spotlightIndexingEnabled", "spotlightIndexed", "storedInTruthFile",
    "customClassName",
  ]
  static let attributeMembers = propertyMembers.union([
    "attributeType", "defaultValueString", "defaultDateTimeInterval", "minValueString",
    "maxValueString", "minDateTimeInterval", "maxDateTimeInterval", "regularExpressionString",
    "valueTransformerName", "derived", "derivationExpression", "usesScalarValueType",
    "allowsExternalBinaryDataStorage", "allowsCloudEncryption", "preservesValueInHistoryOnDeletion",
    "preserveAfterDeletion", "attributeValueClassName",
  ])
  static let relationshipMembers = propertyMembers.union([
    "destinationEntity", "inverseName", "inverseEntity", "toMany", "ordered", "minCount",
    "maxCount", "deletionRule",
  ])

  /// The attribute types that documents have, too.
  static let types: [JSONString: AttributeType] = [
    "Integer 16": .int16, "Integer 32": .int32, "Integer 64": .int64, "Decimal": .decimal,
    "Double": .double, "Float": .float, "String": .utf8, "Boolean": .bool, "Date": .date1970,
    "Binary": .binary, "Transformable": .xform, "ObjectID": .id, "Object ID": .id,
  ]
  /// The attribute types that documents store as texts.
  static let textTypes: Set<JSONString> = ["UUID", "URI"]
  static let typeNames =
    "Integer 16, Integer 32, Integer 64, Decimal, Double, Float, String, Boolean, Date, Binary, "
    + "Transformable, UUID, URI or ObjectID"

  static let deleteRules: [JSONString: DeleteRule] = [
    "Nullify": .nullify, "Cascade": .cascade, "Deny": .deny, "No Action": .noAction,
  ]
}

public import JSON
public import ObjectMapping

/// A class of managed objects.
public protocol ManagedObjectClass {
  /// The name of the class: with its module, or the name given by `@objc(NAME)`.
  static var className: JSONString { get }
}

extension ManagedObjectClass {
  public static var className: JSONString { JSONString(String(reflecting: Self.self)) }
}

extension ManagedObjectModel {
  /// The entity of a class, with or without the prefix of the class; nil if the model has no such
  /// entity.
  ///
  /// A name may be qualified by its module and outer classes, or be mangled as the Objective-C
  /// runtime does for nested classes.
  ///
  /// Source: the guide of DataStore, `entityNameForObjectClass(_:withClassPrefix:)`.
  public func entityName(ofClass name: JSONString, withClassPrefix prefix: JSONString? = nil)
    -> JSONString?
  {
    let name = ClassName.last(of: Array(name.utf8))
    let prefix = Array((prefix ?? "").utf8)
    if !prefix.isEmpty, name.starts(with: prefix), name.count > prefix.count,
      let stripped = JSONString(validating: name.dropFirst(prefix.count)), self[stripped] != nil
    {
      return stripped
    }
    guard let whole = JSONString(validating: name), self[whole] != nil else { return nil }
    return whole
  }
}

extension ThreeContextStack {
  /// The entity of a class, with or without the prefix of the class; nil if the model has no such
  /// entity.
  public func entityNameForObjectClass(
    _ class: any ManagedObjectClass.Type, withClassPrefix prefix: JSONString? = nil
  ) -> JSONString? {
    model.entityName(ofClass: `class`.className, withClassPrefix: prefix)
  }

  /// The model with a name among files: that of `NAME.momd`, otherwise that of `NAME.mom`; nil if
  /// neither exists.
  ///
  /// Source: the guide of DataStore, `modelForResource(_:bundle:)`.
  public static func modelForResource(
    _ resource: JSONString, bundle: [JSONString: ManagedObjectModel]
  ) -> ManagedObjectModel? {
    bundle[JSONString("\(resource).momd")] ?? bundle[JSONString("\(resource).mom")]
  }
}

private enum ClassName {
  /// The innermost class of a name.
  static func last(of name: [UInt8]) -> ArraySlice<UInt8> {
    if let parts = runtimeParts(name), let last = parts.last { return last }
    let start = name.lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? name.startIndex
    return name[start...]
  }

  /// The parts of a mangled name such as `_TtCC3App5Outer5Inner`; nil for other names.
  private static func runtimeParts(_ name: [UInt8]) -> [ArraySlice<UInt8>]? {
    guard name.starts(with: "_TtC".utf8) else { return nil }
    var rest = name.dropFirst(3).drop { $0 == UInt8(ascii: "C") }
    var parts: [ArraySlice<UInt8>] = []
    while !rest.isEmpty {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard let count = Int(String(decoding: digits, as: UTF8.self)), count > 0,
        rest.dropFirst(digits.count).count >= count
      else { return nil }
      rest = rest.dropFirst(digits.count)
      parts.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return parts
  }
}

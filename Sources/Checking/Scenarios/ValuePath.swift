public import JSON

/// The way from the root of a JSON value to a part of it, such as `ok.rows[1].rev`.
public struct ValuePath: Hashable, Sendable {
  /// One step of the way.
  public enum Component: Hashable, Sendable {
    /// The member of an object with a name.
    case member(JSONString)
    /// The element of an array at an index from 0.
    case element(Int)
    /// Some element of a list whose order does not count.
    case someElement
  }

  /// The steps from the root.
  public var components: [Component]

  /// Creates a path; without components, that of the root.
  public init(_ components: [Component] = []) { self.components = components }

  /// The path to a part of what this path leads to.
  public func appending(_ component: Component) -> ValuePath {
    ValuePath(components + [component])
  }

  /// The path without its last component; the root's is the root.
  public var parent: ValuePath { ValuePath(components.dropLast()) }

  /// What the path leads to in a value, or nil when there is nothing.
  public func value(in root: JSONValue) -> JSONValue? {
    var value = root
    for component in components {
      switch (component, value) {
      case (.member(let name), .object(let object)):
        guard let member = object[name] else { return nil }
        value = member
      case (.element(let index), .array(let elements)):
        guard elements.indices.contains(index) else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }
}

extension ValuePath: CustomStringConvertible {
  public var description: String {
    var text = ""
    for component in components {
      switch component {
      case .member(let name): text += text.isEmpty ? name.string : ".\(name)"
      case .element(let index): text += "[\(index)]"
      case .someElement: text += "[*]"
      }
    }
    return text
  }
}

public import JSON

/// The path from the root of a JSON value to a part of it, such as `ok.rows[1].rev`.
public struct ValuePath: Hashable, Sendable {
  /// One component of the path.
  public enum Component: Hashable, Sendable {
    /// The member of an object with a name.
    case member(JSONString)
    /// The element of an array at an index from 0.
    case element(Int)
    /// An element of a list whose order is not compared.
    case someElement
  }

  /// The components from the root.
  public var components: [Component]

  /// Creates a path; without components, that of the root.
  public init(_ components: [Component] = []) { self.components = components }

  /// The path to a part of the value at this path.
  public func appending(_ component: Component) -> ValuePath {
    ValuePath(components + [component])
  }

  /// The path without its last component; the root's is the root.
  public var parent: ValuePath { ValuePath(components.dropLast()) }

  /// The value at the path; nil if it does not exist.
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

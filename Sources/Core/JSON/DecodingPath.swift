/// The syntax of paths from the root of a value to one of its parts, such as `steps[3].do.rev`.
public enum DecodingPath {
  /// A placeholder for all paths below a value whose paths are not needed.
  ///
  /// Most input is valid, and building the path of each part takes longer than reading it. So a
  /// fast reader first uses this placeholder, and reads invalid input a second time with real
  /// paths.
  public static let placeholder = "?"

  /// The path to a member of the object at a path.
  public static func member(_ name: JSONString, of path: String) -> String {
    if path.isEmpty { return name.string }
    return path == placeholder ? path : "\(path).\(name)"
  }

  /// The path to an element of the array at a path.
  public static func element(_ index: Int, of path: String) -> String {
    path == placeholder ? path : "\(path)[\(index)]"
  }
}

/// How the way from the root of a value to one of its parts is spelled, such as `steps[3].do.rev`.
public enum DecodingPath {
  /// The way to everything below a place that nobody asks for.
  ///
  /// Most of what is read is right, and spelling the way to each of its parts takes longer than
  /// reading it. So who reads much reads it with this first, and what was wrong once more.
  public static let untold = "?"

  /// The way to a member of the object at a path.
  public static func member(_ name: JSONString, of path: String) -> String {
    if path.isEmpty { return name.string }
    return path == untold ? path : "\(path).\(name)"
  }

  /// The way to an element of the array at a path.
  public static func element(_ index: Int, of path: String) -> String {
    path == untold ? path : "\(path)[\(index)]"
  }
}

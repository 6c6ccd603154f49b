public import Datastore
public import JSON

/// A file of vectors about one subject.
public struct VectorFile: Hashable, Sendable {
  /// The subject; the ids of the vectors begin with it.
  public var family: JSONString
  /// The subject and its importance, for a reader who is new to it.
  public var about: JSONString
  /// The vectors in the order of the file.
  public var vectors: [Vector]

  /// Creates a file.
  public init(family: JSONString, about: JSONString, vectors: [Vector]) {
    self.family = family
    self.about = about
    self.vectors = vectors
  }

  /// The file as JSON.
  public var json: JSONValue {
    [
      "family": .string(family), "about": .string(about),
      "vectors": .array(vectors.map { $0.json }),
    ]
  }

  /// Reads a file of valid vectors; throws the first error.
  public init(_ json: JSONValue) throws(DecodingFailure) {
    let reading = Reading(json)
    if let finding = reading.findings.first { throw finding.failure }
    guard let file = reading.file else { throw DecodingFailure(path: "", message: "not a file") }
    self = file
  }
}

extension VectorFile {
  /// The valid parts of a file, and all of its errors.
  public struct Reading: Sendable {
    /// The valid vectors; nil if the file as a whole is invalid.
    public private(set) var file: VectorFile?
    /// The index of each of these vectors in the file, from 0.
    public private(set) var places: [Int] = []
    /// The errors, in the order of the file.
    public private(set) var findings: [Finding] = []

    /// An error and its vector.
    public struct Finding: Equatable, Sendable {
      /// The vector with the error; nil if it has no readable id, or if the file itself is wrong.
      public let vector: VectorID?
      /// The error with its place.
      public let failure: DecodingFailure
    }
  }
}

extension VectorFile.Reading {
  /// Reads a file; an invalid vector does not affect the others.
  public init(_ json: JSONValue) {
    do throws(DecodingFailure) {
      try read(json)
    } catch {
      findings.append(Finding(vector: nil, failure: error))
    }
  }

  private mutating func read(_ json: JSONValue) throws(DecodingFailure) {
    var reader = try ObjectReader(json)
    var file = VectorFile(
      family: try reader.text("family"), about: try reader.text("about"), vectors: [])
    let elements = try reader.array("vectors")
    try reader.finish()
    for (place, element) in elements.enumerated() {
      do throws(DecodingFailure) {
        let vector = try vector(element, path: "vectors[\(place)]")
        file.vectors.append(vector)
        places.append(place)
      } catch {
        let id = element.objectValue?["id"]?.textValue.map { VectorID($0) }
        findings.append(Finding(vector: id, failure: error))
      }
    }
    self.file = file
  }

  /// Reads a vector, twice if an error has to be located.
  private mutating func vector(
    _ json: JSONValue, path: String
  ) throws(DecodingFailure) -> Vector {
    let placeholder = DecodingPath.placeholder
    if let vector = try? Vector(json, path: placeholder), vector.findings(path: placeholder).isEmpty
    {
      return vector
    }
    let vector = try Vector(json, path: path)
    findings += vector.findings(path: path).map { Finding(vector: vector.id, failure: $0) }
    return vector
  }
}

public import JSON

/// Converts values of an application to bytes and back.
public protocol AttributeTransformer: Sendable {
  /// The type of the values.
  associatedtype Value

  /// The MIME type of the bytes, such as `image/png`; nil if unknown.
  var mimeType: JSONString? { get }

  /// Returns the bytes of a value; throws if the value has none.
  func bytes(of value: Value) throws -> [UInt8]
  /// Returns the value of bytes; throws if they are not those of a value.
  func value(of bytes: [UInt8]) throws -> Value
}

extension AttributeTransformer {
  public var mimeType: JSONString? { nil }
}

/// Transformers by the names of their classes.
public struct TransformerRegistry: Sendable {
  private var transformers: [JSONString: any AttributeTransformer] = [:]

  /// Creates a registry without transformers.
  public init() {}

  /// Registers a transformer; replaces one of the same name.
  public mutating func register(_ transformer: any AttributeTransformer, as name: JSONString) {
    transformers[name] = transformer
  }

  /// The transformer of a class; nil if none is registered.
  public subscript(name: JSONString) -> (any AttributeTransformer)? { transformers[name] }

  /// The value of stored bytes.
  ///
  /// Throws `unknownTransformer` with the class if it is not registered; the bytes are not
  /// affected.
  ///
  /// - Parameter named: the class named by the document; used if the model names none.
  public func value<Value>(
    of bytes: [UInt8], _ attribute: AttributeDescription, named: JSONString? = nil,
    as type: Value.Type
  ) throws(MappingError) -> Value {
    let transformer = try transformer(attribute.transformer ?? named, of: attribute)
    do {
      guard let value = try transformer.value(of: bytes) as? Value else {
        throw MappingError(
          .transformerFailed, attribute.name, message: "its value is not of type \(type)")
      }
      return value
    } catch let error as MappingError {
      throw error
    } catch {
      throw MappingError(.transformerFailed, attribute.name, message: "\(error)")
    }
  }

  /// The bytes of a value.
  public func bytes<Value>(
    of value: Value, _ attribute: AttributeDescription
  ) throws(MappingError) -> [UInt8] {
    func bytes<Transformer: AttributeTransformer>(_ transformer: Transformer) throws -> [UInt8] {
      guard let value = value as? Transformer.Value else {
        throw MappingError(
          .transformerFailed, attribute.name,
          message: "it does not accept values of type \(type(of: value))")
      }
      return try transformer.bytes(of: value)
    }
    let transformer = try transformer(attribute.transformer, of: attribute)
    do {
      return try bytes(transformer)
    } catch let error as MappingError {
      throw error
    } catch {
      throw MappingError(.transformerFailed, attribute.name, message: "\(error)")
    }
  }

  private func transformer(
    _ name: JSONString?, of attribute: AttributeDescription
  ) throws(MappingError) -> any AttributeTransformer {
    guard let name else {
      throw MappingError(
        .unknownTransformer, nil, message: "no transformer is specified for '\(attribute.name)'")
    }
    guard let transformer = transformers[name] else {
      throw MappingError(
        .unknownTransformer, name,
        message: "the class '\(name)' for '\(attribute.name)' is not registered")
    }
    return transformer
  }
}

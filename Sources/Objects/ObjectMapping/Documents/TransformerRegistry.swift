public import JSON

/// What makes bytes out of values of an application, and values out of bytes.
public protocol ValueTransformer: Sendable {
  associatedtype Value

  /// What the bytes are, such as `image/png`; nil when nothing is known.
  var mimeType: JSONString? { get }

  func bytes(of value: Value) throws -> [UInt8]
  func value(of bytes: [UInt8]) throws -> Value
}

extension ValueTransformer {
  public var mimeType: JSONString? { nil }
}

/// Transformers by the names of their classes.
public struct TransformerRegistry: Sendable {
  private var transformers: [JSONString: any ValueTransformer] = [:]

  public init() {}

  /// Registers a transformer, in place of one of the same name.
  public mutating func register(_ transformer: any ValueTransformer, as name: JSONString) {
    transformers[name] = transformer
  }

  public subscript(name: JSONString) -> (any ValueTransformer)? { transformers[name] }

  /// The value of stored bytes.
  ///
  /// Throws `unknownTransformer`, which names the class, when none is registered: the bytes are kept
  /// all the same.
  ///
  /// - Parameter named: the class that the document names; it counts where the model names none.
  public func value<Value>(
    of bytes: [UInt8], _ attribute: AttributeDescription, named: JSONString? = nil,
    as type: Value.Type
  ) throws(MappingError) -> Value {
    let transformer = try transformer(attribute.transformer ?? named, of: attribute)
    do {
      guard let value = try transformer.value(of: bytes) as? Value else {
        throw MappingError(.transformerFailed, attribute.name, message: "its value is no \(type)")
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
    func bytes<Transformer: ValueTransformer>(_ transformer: Transformer) throws -> [UInt8] {
      guard let value = value as? Transformer.Value else {
        throw MappingError(
          .transformerFailed, attribute.name, message: "it takes no \(type(of: value))")
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
  ) throws(MappingError) -> any ValueTransformer {
    guard let name else {
      throw MappingError(
        .unknownTransformer, nil, message: "nothing names a transformer of '\(attribute.name)'")
    }
    guard let transformer = transformers[name] else {
      throw MappingError(
        .unknownTransformer, name,
        message: "the class '\(name)', which reads '\(attribute.name)', is not registered")
    }
    return transformer
  }
}

import JSON

// JSON texts: a parsed value is unchanged after a round trip, with each of the 3 writers.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let text = bytes(data, size)
  let value: JSONValue
  do throws(JSONError) {
    value = try JSONValue.parse(text)
  } catch {
    // The error of an incomplete text is after its last byte.
    check((0...size).contains(error.offset), "\(error): outside of \(size) bytes")
    return 0
  }
  let written = value.serializedBytes()
  checkSame(value, written)
  checkSame(value, Array(value.pretty().utf8))
  let sorted = value.serializedBytes(sortingNames: true)
  guard let again = try? JSONValue.parse(sorted) else { violated("sorted: cannot be read") }
  check(again.isSameValue(as: value), "sorted: a different value")
  check(again.serializedBytes(sortingNames: true) == sorted, "sorted: not a fixed point")
  return 0
}

private func checkSame(_ value: JSONValue, _ written: [UInt8]) {
  do throws(JSONError) {
    let again = try JSONValue.parse(written)
    check(again == value, "a different value: \(value) became \(again)")
    check(again.hashValue == value.hashValue, "equal values with two hashes")
    check(again.isSameValue(as: value), "equal values that are not the same")
  } catch {
    violated("\(value) cannot be parsed: \(error)")
  }
}

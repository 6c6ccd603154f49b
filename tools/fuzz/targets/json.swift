import JSON

// JSON texts: what is read is the same after writing it, in each of the three ways to write.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let text = bytes(data, size)
  let value: JSONValue
  do throws(JSONError) {
    value = try JSONValue.parse(text)
  } catch {
    // A text that ends too early is wrong behind its last byte.
    check((0...size).contains(error.offset), "\(error): outside of \(size) bytes")
    return 0
  }
  let written = value.serializedBytes()
  checkSame(value, written)
  checkSame(value, Array(value.pretty().utf8))
  let sorted = value.serializedBytes(sortingNames: true)
  guard let again = try? JSONValue.parse(sorted) else { violated("sorted: cannot be read") }
  check(again.isSameValue(as: value), "sorted: another value")
  check(again.serializedBytes(sortingNames: true) == sorted, "sorted: not the last word")
  return 0
}

private func checkSame(_ value: JSONValue, _ written: [UInt8]) {
  do throws(JSONError) {
    let again = try JSONValue.parse(written)
    check(again == value, "another value: \(value) became \(again)")
    check(again.hashValue == value.hashValue, "equal values with two hashes")
    check(again.isSameValue(as: value), "equal values that are not the same")
  } catch {
    violated("\(value) cannot be read again: \(error)")
  }
}

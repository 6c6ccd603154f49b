import Digest
import Testing

@Suite struct HexadecimalTests {
  @Test func everyByteHasTwoLowerCaseDigits() {
    let digits = Array("0123456789abcdef")
    for byte in UInt8.min...UInt8.max {
      let expected = String([digits[Int(byte) / 16], digits[Int(byte) % 16]])
      #expect([byte].hexadecimal == expected)
    }
  }

  @Test func bytesStayInOrder() {
    #expect([UInt8]().hexadecimal == "")
    #expect([0x00, 0x0F, 0xF0, 0xAB].hexadecimal == "000ff0ab")
    #expect([0xAB, 0x00].reversed().hexadecimal == "00ab")
  }
}

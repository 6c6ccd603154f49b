import Testing
import Foundation
@testable import Generation
struct ProbeTests {
  @Test func probe() throws {
      let clock = ContinuousClock()
      var files: [VectorGenerator.File] = []
      let t = try clock.measure { files = try VectorGenerator().files() }
      print("time", t)
      for f in files { print("::", f.name, f.text.utf8.count)
        try f.text.write(toFile: "/work/help/generated/Vectors/generated/" + f.name, atomically: true, encoding: .utf8)
      }
  }
}

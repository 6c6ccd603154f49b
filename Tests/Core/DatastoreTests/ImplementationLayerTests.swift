import Datastore
import JSON
import Testing

/// A layer forwards all calls that it does not implement itself.
@Suite struct ImplementationLayerTests {
  /// Records its calls.
  final class Base: ImplementationUnderTest {
    var calls: [String] = []
    let description = ImplementationDescription(name: "base", version: "1")

    func reset() { calls.append("reset") }
    func perform(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
      calls.append(operation.action.name)
      return .unknown
    }
    func crash(_ kind: CrashKind) { calls.append("crash \(kind.rawValue)") }
    func shutdown() { calls.append("shutdown") }
    func begin(_ undertaking: Undertaking) { calls.append("begin \(undertaking.label)") }
    func end() { calls.append("end") }
    func takeLog() -> String { "log" }
  }

  final class Layer: ImplementationLayer {
    let base: any ImplementationUnderTest
    var forgotten = 0

    init(_ base: Base) { self.base = base }

    func forget() { forgotten += 1 }
    func perform(
      _ operation: StoreOperation, _ environment: RunEnvironment
    ) throws(HarnessError) -> Outcome { try base.perform(operation, environment) }
  }

  @Test func everythingComesToTheBase() throws {
    let base = Base()
    let layer = Layer(base)
    // Accessed as callers do: through the protocol of all implementations.
    let implementation: any ImplementationUnderTest = layer
    let environment = RunEnvironment(seed: 1)
    #expect(implementation.description.name == "base")
    try implementation.begin(.vector("v"))
    _ = try implementation.perform(StoreOperation("s", .info), environment)
    try implementation.end()
    #expect(implementation.takeLog() == "log")
    #expect(layer.forgotten == 1)
    try implementation.reset()
    try implementation.crash(.kill)
    try implementation.shutdown()
    #expect(layer.forgotten == 3)
    #expect(base.calls == ["begin v", "info", "end", "reset", "crash kill", "shutdown"])
  }
}

import Datastore
import JSON
import ObjectOperations

// What the targets of fuzzing share. Each of them is compiled together with this file.

/// Ends the process with what does not hold, so that libFuzzer keeps the input.
func violated(_ message: @autoclosure () -> String) -> Never { fatalError(message()) }

/// Ends the process unless a property holds.
func check(_ holds: Bool, _ message: @autoclosure () -> String) {
  if !holds { violated(message()) }
}

/// The input as bytes of its own.
func bytes(_ data: UnsafePointer<UInt8>, _ size: Int) -> [UInt8] {
  ObjectOperationFamilies.register()
  return Array(UnsafeBufferPointer(start: data, count: size))
}

/// The value that a text spells, for what a target itself is made of.
func json(_ text: String) -> JSONValue {
  do throws(JSONError) {
    return try JSONValue.parse(text)
  } catch {
    violated("the target is wrong: \(error)")
  }
}

/// The operation that a text spells, in the store `a`.
func operation(_ text: String) -> StoreOperation {
  var members = json(text).objectValue ?? [:]
  members["store"] = "a"
  do throws(DecodingFailure) {
    return try StoreOperation(.object(members))
  } catch {
    violated("the target is wrong: \(error)")
  }
}

extension ImplementationUnderTest {
  /// Performs an operation, with equal time and randomness for each store.
  func outcome(_ operation: StoreOperation) -> Outcome {
    let environment = RunEnvironment(seed: 1)
    do throws(HarnessError) {
      return try perform(operation, environment)
    } catch {
      violated("\(error)")
    }
  }

  /// Performs operations that have to succeed.
  func setUp(_ operations: [StoreOperation]) {
    for operation in operations {
      guard case .ok = outcome(operation) else {
        violated("the target is wrong: \(operation): \(outcome(operation))")
      }
    }
  }
}

extension Outcome {
  /// Ends the process unless the outcome means the same after its way through JSON.
  func checkSpelling(of action: StoreAction) {
    guard let again = try? JSONValue.parse(json.serializedBytes()),
      let outcome = try? Outcome(again, of: action)
    else { violated("\(action.name): cannot be read again: \(json.serialized())") }
    check(outcome.json == json, "\(action.name): \(json.serialized()) became \(outcome)")
  }
}

import Datastore
import JSON
import ObjectOperations

// Shared code of the fuzz targets. Each target is compiled together with this file.

/// Ends the process with the violated property, so that libFuzzer stores the input.
func violated(_ message: @autoclosure () -> String) -> Never { fatalError(message()) }

/// Ends the process unless a property holds.
func check(_ holds: Bool, _ message: @autoclosure () -> String) {
  if !holds { violated(message()) }
}

/// Returns a copy of the input.
func bytes(_ data: UnsafePointer<UInt8>, _ size: Int) -> [UInt8] {
  ObjectOperationFamilies.register()
  return Array(UnsafeBufferPointer(start: data, count: size))
}

/// Returns the value of a JSON text of a target.
func json(_ text: String) -> JSONValue {
  do throws(JSONError) {
    return try JSONValue.parse(text)
  } catch {
    violated("error in the target: \(error)")
  }
}

/// Returns the operation of a JSON text of a target, in the store `a`.
func operation(_ text: String) -> StoreOperation {
  var members = json(text).objectValue ?? [:]
  members["store"] = "a"
  do throws(DecodingFailure) {
    return try StoreOperation(.object(members))
  } catch {
    violated("error in the target: \(error)")
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

  /// Performs operations that must succeed.
  func setUp(_ operations: [StoreOperation]) {
    for operation in operations {
      guard case .ok = outcome(operation) else {
        violated("error in the target: \(operation): \(outcome(operation))")
      }
    }
  }
}

extension Outcome {
  /// Ends the process unless the outcome is unchanged after a round trip through JSON.
  func checkSpelling(of action: StoreAction) {
    guard let again = try? JSONValue.parse(json.serializedBytes()),
      let outcome = try? Outcome(again, of: action)
    else { violated("\(action.name): cannot be parsed: \(json.serialized())") }
    check(outcome.json == json, "\(action.name): \(json.serialized()) became \(outcome)")
  }
}

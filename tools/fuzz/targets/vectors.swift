import Datastore
import JSON
import Scenarios

// Vector files and scenarios are unchanged after a round trip.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  guard let value = try? JSONValue.parse(bytes(data, size)) else { return 0 }
  checkFile(value)
  checkScenario(value)
  return 0
}

private func checkFile(_ value: JSONValue) {
  let reading = VectorFile.Reading(value)
  for finding in reading.findings {
    check(!finding.failure.description.isEmpty, "a finding without a description")
  }
  guard let file = reading.file else {
    check(!reading.findings.isEmpty, "no file and no finding")
    return
  }
  check(reading.places.count == file.vectors.count, "vectors without a place")
  let again = VectorFile.Reading(reread(file.json))
  check(again.file == file, "the file became another: \(file.json.serialized())")
  if reading.findings.isEmpty {
    check(again.findings.isEmpty, "found only later: \(again.findings)")
  }
}

private func checkScenario(_ value: JSONValue) {
  guard let scenario = try? Scenario(value) else { return }
  let again = try? Scenario(reread(scenario.json))
  check(again == scenario, "the scenario became another: \(scenario.json.serialized())")
}

private func reread(_ value: JSONValue) -> JSONValue {
  guard let again = try? JSONValue.parse(value.serializedBytes()) else {
    violated("cannot be parsed: \(value.serialized())")
  }
  return again
}

import JSON
import ModelFiles
import ObjectMapping

// Model files: a text is read or refused with a line of the text. A model is unchanged after a round
// trip through JSON, and its warnings are in the order of the file.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let text = bytes(data, size)
  // UTF-16 has other line ends.
  let lines = text.count { $0 == 0x0A || $0 == 0x0D } + 1
  let file: ModelFile
  do throws(ModelFileError) {
    file = try ModelFile(text, path: "contents", version: "1")
  } catch {
    if let line = error.line { check((1...lines).contains(line), "\(error): of \(lines) lines") }
    check(!error.what.isEmpty, "an error without a text")
    return 0
  }
  var last = 1
  for warning in file.warnings {
    check((last...lines).contains(warning.line), "\(warning): after \(last), of \(lines) lines")
    last = warning.line
  }
  checkJSON(file)
  _ = file.model.portabilityWarnings(TransformerRegistry())
  _ = file.model.versionHashes
  return 0
}

private func checkJSON(_ file: ModelFile) {
  do throws(ModelFileError) {
    let json = try ModelFile(file.model.json.serializedBytes(), path: "model.json", version: "1")
    check(json.model == file.model, "\(file.model) became \(json.model)")
    do throws(ModelError) {
      let renamed = try file.model(migratingFrom: json)
      check(
        try file.model(migratingFrom: file) == renamed,
        "the identifiers of the JSON form differ: \(renamed)")
    } catch {
      violated("a model with other previous names is invalid: \(error)")
    }
  } catch {
    violated("\(file.model) cannot be read as JSON: \(error)")
  }
}

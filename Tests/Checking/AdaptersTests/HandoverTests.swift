import Datastore
import JSON
import Testing

@testable import Adapters

/// Adapters that get the folder of an earlier process.
@Suite struct HandoverTests {
  /// An adapter in shell that counts its starts in its folder, as its version, and ends as given.
  private func start(
    in folder: DataFolder, bye: String = "exit 0", operationSeconds: Double = 10
  ) throws -> AdapterImplementation {
    let command = """
      while IFS= read -r line; do
        id=${line#*'"id":'}; id=${id%%,*}
        case $line in
        *'"hello"'*)
          folder=${line#*'"folder":"'}; folder=${folder%%'"'*}
          echo start >> "$folder/starts"
          printf '{"id":%s,"ok":{"protocol":1,"name":"s","version":"%s"}}\\n' "$id" \
            "$(wc -l < "$folder/starts" | tr -d ' ')";;
        *'"bye"'*) printf '{"id":%s,"ok":{}}\\n' "$id"; \(bye);;
        *) printf '{"id":%s,"ok":{}}\\n' "$id";;
        esac
      done
      """
    return try AdapterImplementation(
      .command(command), runner: "tests",
      limits: AdapterLimits(operation: .seconds(operationSeconds), start: .seconds(60)),
      folder: folder)
  }

  @Test func theNextProcessHasTheFiles() throws {
    let folder = try DataFolder()
    let first = try start(in: folder)
    #expect(first.description.version == "1")
    try first.leave()
    let second = try start(in: folder)
    #expect(second.description.version == "2")
    second.kill()
    #expect(try start(in: folder).description.version == "3")
  }

  @Test func anEndWithAnErrorIsABreakdown() throws {
    let adapter = try start(in: try DataFolder(), bye: "exit 9")
    let error = #expect(throws: HarnessError.self) { try adapter.leave() }
    #expect(error?.message == "the adapter exited with code 9 after bye; expected code 0")
    #expect(error?.breakdown?.shape == "exit 9")
  }

  @Test func aProcessThatStaysIsABreakdown() throws {
    let adapter = try start(in: try DataFolder(), bye: "sleep 60", operationSeconds: 1)
    let error = #expect(throws: HarnessError.self) { try adapter.leave() }
    #expect(error?.breakdown?.shape == "hang")
  }
}

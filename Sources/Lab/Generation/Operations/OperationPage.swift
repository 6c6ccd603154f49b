internal import Datastore
internal import JSON

/// The table of operations as a page.
struct OperationPage {
  let table: OperationTable

  var text: String {
    """
    <!-- Written by `touchstone vectors generate` from the tables of operations in the sources. -->

    # Operations

    This page lists the form of every operation, its result and its errors. `README.md` says what the
    operations mean, and `protocol.md` how they are sent. `operations.json` is the same table for programs,
    and `schemas/operation.schema.json`, `outcome.schema.json` and `expectation.schema.json` follow from it.

    Every operation also has `op`, its name, and `store`. Every operation can answer
    \(OperationTable.commonErrors.map { "`\($0)`" }.joined(separator: ", ")), except that `open`,
    `close` and `destroy` never answer `noSuchStore`.

    ## Notation

    | notation | value |
    |---|---|
    | `text`, `integer`, `number`, `bool`, `null` | a scalar; integers have 64 bits |
    | `integer(1..9)`, `text(1..)`, `text(^a$)` | in a range; of at least 1 character; matching an expression |
    | `"a"`, `7`, `true` | this value |
    | `name` | a document id, a revision id or a URI. In a vector `{"$ref": …}` may stand in its place |
    | `sequence` | an update sequence. In a vector `{"$ref": …}` may stand in its place |
    | `data`, `data T` | any value, or one of the type `T`. It is compared as a whole, and nothing in it is a reference |
    | `object`, `array` | any object, any list |
    | `{a: T, b?: T, (c: T / d: T)}` | an object: `b` may be absent, and exactly one of `c` and `d` is present |
    | `{*: T}`, `{1: T}` | an object with any names; with exactly one name |
    | `[T]`, `<T, T>` | a list; a list of exactly 2 elements |
    | `unordered [T]`, `winnerFirst [T]` | a list in any order; one whose first element is the winner |
    | `dense [T]` | a list in order under the profile `dense-changes`, otherwise in any order |
    | `results [T]` | a list of one result for each write or step |
    | `write` | an operation of the core without `store` |
    | `error` | an error, see below |
    | any other word | the type of this name, see below |

    After a member, `needs` names the capability that the operation needs if the member is present, and
    `with` the member that is then present too.

    ## Table

    | operation | arguments | capabilities | result | errors |
    |---|---|---|---|---|
    \(table.rows.map { line($0) }.joined(separator: "\n"))

    ## Errors

    Every error may have `message`, and in a batch `write`, the index of the write that failed.

    | kind | members |
    |---|---|
    \(table.errors.map { "| `\($0.kind.string)` | \(cell(list($0.members))) |" }
      .joined(separator: "\n"))

    ## Types

    | name | type | description |
    |---|---|---|
    \(table.names.map { type($0) }.joined(separator: "\n"))

    """
  }

  private func line(_ row: OperationRow) -> String {
    let results =
      ["`\(row.result.string)`"]
      + row.variants.map { variant in
        "`\(variant.result.string)` if `\(variant.argument.string)` is "
          + "`\(variant.value.serialized())`"
      }
    let columns = [
      "`\(row.name)`", cell(list(row.arguments)),
      row.sortedCapabilities.map { "`\($0.rawValue)`" }.joined(separator: ", "),
      results.joined(separator: ", "), row.errors.map { "`\($0)`" }.joined(separator: ", "),
    ]
    return "| \(columns.joined(separator: " | ")) |"
  }

  private func type(_ name: JSONString) -> String {
    let notation = cell(table.notations[name] ?? "")
    return "| `\(name.string)` | \(notation) | \(table.descriptions[name] ?? "") |"
  }

  private func list(_ members: [ValueShape.Member]) -> String {
    var text = ""
    for (index, member) in members.enumerated() {
      let isChoice = member.presence == .choice
      let continues = isChoice && index > 0 && members[index - 1].presence == .choice
      text += index == 0 ? "" : continues ? " / " : ", "
      text += isChoice && !continues ? "(" : ""
      text += member.name.string + (member.presence == .optional ? "?" : "") + ": "
      text += member.notation
      text += member.capability.map { " needs \($0.rawValue)" } ?? ""
      let ends = isChoice && (index + 1 == members.count || members[index + 1].presence != .choice)
      text += ends ? ")" : ""
    }
    return text
  }

  /// Code in a cell of a table.
  private func cell(_ code: String) -> String {
    code.isEmpty
      ? ""
      : "`\(code.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|"))`"
  }
}

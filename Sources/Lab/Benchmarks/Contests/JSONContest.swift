internal import CJansson
internal import JSON

/// Documents as texts, parsed or printed; Jansson does the same with the same bytes.
final class JSONContest: Contest {
  enum Direction {
    case parse
    case print
  }

  private let direction: Direction
  private let values: [JSONValue]
  private let texts: [[UInt8]]
  private var trees: [UnsafeMutablePointer<json_t>] = []
  private let buffer = BodyText()

  /// - Parameter count: the number of documents.
  init(_ direction: Direction, count: Int) throws(BenchmarkError) {
    self.direction = direction
    values = (0..<count).map { Documents.body($0) }
    texts = values.map { $0.serializedBytes() }
    if direction == .print {
      for text in texts {
        let tree = text.withUnsafeBytes { text in
          json_loadb(text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count, 0, nil)
        }
        guard let tree else { throw .disagreement("a document that is not JSON") }
        trees.append(tree)
      }
    }
  }

  deinit { for tree in trees { json_decref(tree) } }

  func prepareStore(run: Int) {}

  func runStore() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    switch direction {
    case .parse:
      for text in texts {
        let value: JSONValue
        do throws(JSONError) { value = try JSONValue.parse(text) } catch {
          throw .disagreement("a document that is not JSON: \(error)")
        }
        tally.add(marks: value.objectValue?.count ?? 0)
      }
    case .print:
      for value in values { tally.add(marks: value.serializedBytes().count) }
    }
    return tally
  }

  func prepareFloor(run: Int) {}

  func runFloor() throws(BenchmarkError) -> Tally {
    var tally = Tally()
    switch direction {
    case .parse:
      for text in texts {
        // Functions of the standard library lose the error's type.
        let count = text.withUnsafeBytes { bytes in
          Result { () throws(BenchmarkError) in try BodyText.parse(bytes) }
        }
        tally.add(marks: try count.get())
      }
    case .print: for tree in trees { tally.add(marks: try buffer.dump(tree).count) }
    }
    return tally
  }
}

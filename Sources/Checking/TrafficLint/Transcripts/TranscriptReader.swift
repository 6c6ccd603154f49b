internal import JSON

/// Reads a transcript line by line; its content determines its form.
///
/// The exchanges of JSON Lines are returned as soon as their line was added. The exchanges of a HAR
/// file are returned at the end, because the file is one JSON value.
public struct TranscriptReader {
  private enum Form {
    case proxy, wire, archive
  }

  private var form: Form?
  private var lineCount = 0
  private var archive: [UInt8] = []
  private var lastStart: Int64 = 0

  /// Creates a reader at the start of a transcript.
  public init() {}

  /// Reads one line, without its line feed.
  public mutating func add(_ line: ArraySlice<UInt8>) throws(TranscriptError) -> [Exchange] {
    lineCount += 1
    if form == .archive {
      archive += line + [0x0A]
      return []
    }
    guard line.contains(where: { !JSONWhiteSpace.contains($0) }) else { return [] }
    let place = "line \(lineCount)"
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(line, limits: Self.limits)
    } catch {
      // The first line of a HAR file with indentation is not complete.
      guard form == nil, case .unexpectedEnd = error.kind else {
        throw TranscriptError(place: place, message: "expected one exchange as JSON: \(error)")
      }
      form = .archive
      archive = line + [0x0A]
      return []
    }
    if form == nil { form = try Self.form(of: value, place) }
    let exchange: Exchange
    do throws(DecodingFailure) {
      switch form {
      case .proxy?: exchange = try ProxyLine.exchange(value, after: lastStart)
      case .wire?: exchange = try WireLine.exchange(value)
      case .archive?, nil:
        archive = Array(line)
        return []
      }
    } catch {
      throw TranscriptError(place: place, message: "\(error)")
    }
    lastStart = max(lastStart, exchange.start ?? 0)
    return [exchange]
  }

  /// Returns the remaining exchanges at the end of the transcript.
  public mutating func finish() throws(TranscriptError) -> [Exchange] {
    guard form != nil else {
      throw TranscriptError(
        place: "line \(lineCount + 1)", message: "no exchanges; \(Self.expected)")
    }
    guard form == .archive else { return [] }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(archive, limits: Self.limits)
    } catch {
      throw TranscriptError(place: "\(error)", message: "not complete JSON; \(Self.expected)")
    }
    archive = []
    return try ArchiveReader.exchanges(value)
  }

  private static let limits = JSONLimits(bytesMax: 1 << 40)

  private static let expected =
    "expected a HAR file with log.entries, or lines with request, or lines with method and path"

  private static func form(of value: JSONValue, _ place: String) throws(TranscriptError) -> Form {
    let object = value.objectValue ?? [:]
    if object["log"] != nil { return .archive }
    if object["request"] != nil { return .proxy }
    if object["method"] != nil, object["path"] != nil { return .wire }
    throw TranscriptError(place: place, message: "unknown form; \(expected)")
  }
}

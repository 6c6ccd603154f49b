#if HTTP
  internal import Datastore
  public import JSON

  /// The verdict on the clients of a server: the final states of the writes that they were told to
  /// have succeeded, and whether what they hold equals what the server holds.
  public struct Verdict: Sendable {
    /// The final state of an acknowledged write.
    public enum FinalState: String, CaseIterable, Sendable {
      /// The winner of its document.
      case current
      /// A live leaf beside the winner.
      case inConflict = "in conflict"
      /// An ancestor of a leaf.
      case superseded
      /// A tombstone, or an ancestor of tombstones only.
      case deleted
      /// Not stored.
      case lost
    }

    /// A document whose leaves differ between a client and the server.
    struct Difference {
      let client: String
      let id: JSONString
      let onServer: [JSONString]
      let onClient: [JSONString]
    }

    var counts: [FinalState: Int] = [:]
    /// The lost writes, each with its database and its source.
    var lost: [(database: JSONString, id: JSONString, rev: JSONString, source: String)] = []
    var differences: [Difference] = []
    /// The clients whose documents were compared.
    var compared: [String] = []
    /// What could not be read, and why.
    var unread: [String] = []
    var requests = 0
    var faults: [(fault: WireFault, count: Int)] = []
    var plan: String = ""

    /// Whether no write was lost, and all clients hold what the server holds.
    public var isPassed: Bool { lost.isEmpty && differences.isEmpty && unread.isEmpty }

    private static let shownMax = 10

    /// The verdict for people, several lines.
    public var text: String {
      let faultCount = faults.reduce(0) { $0 + $1.count }
      var lines = [
        "\(isPassed ? "passed" : "FAILED")  \(requests) requests, \(faultCount) faults (\(plan))"
      ]
      let states = FinalState.allCases.map { "\(counts[$0] ?? 0) \($0.rawValue)" }
      lines.append("acknowledged writes: \(states.joined(separator: ", "))")
      if !compared.isEmpty {
        let clients = compared.joined(separator: ", ")
        lines.append(
          differences.isEmpty
            ? "equal on server and client: \(clients)"
            : "\(differences.count) documents differ between server and client")
      }
      for write in lost.prefix(Self.shownMax) {
        lines.append(
          "lost: \(write.database)/\(write.id) \(write.rev), acknowledged by \(write.source)")
      }
      for difference in differences.prefix(Self.shownMax) {
        lines.append(
          "differs: \(difference.id)  server: \(Self.list(difference.onServer))  "
            + "\(difference.client): \(Self.list(difference.onClient))")
      }
      lines += unread.map { "not read: \($0)" }
      return lines.joined(separator: "\n") + "\n"
    }

    private static func list(_ revs: [JSONString]) -> String {
      revs.isEmpty ? "nothing" : revs.map(\.string).joined(separator: ", ")
    }

    /// The verdict for programs.
    public var json: JSONValue {
      [
        "passed": .bool(isPassed), "plan": .text(plan), "requests": .integer(Int64(requests)),
        "faults": .object(
          JSONObject(
            faults.map { (JSONString($0.fault.rawValue), JSONValue.integer(Int64($0.count))) })),
        "writes": .object(
          JSONObject(
            FinalState.allCases.map {
              (JSONString($0.rawValue), JSONValue.integer(Int64(counts[$0] ?? 0)))
            })),
        "lost": .array(
          lost.map {
            [
              "database": .string($0.database), "id": .string($0.id), "rev": .string($0.rev),
              "acknowledgedBy": .text($0.source),
            ]
          }),
        "compared": .array(compared.map { .text($0) }),
        "differences": .array(
          differences.map {
            [
              "client": .text($0.client), "id": .string($0.id),
              "server": .array($0.onServer.map { .string($0) }),
              "held": .array($0.onClient.map { .string($0) }),
            ]
          }), "unread": .array(unread.map { .text($0) }),
      ]
    }
  }
#endif

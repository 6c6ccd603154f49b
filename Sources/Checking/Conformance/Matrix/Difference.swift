internal import Datastore
public import JSON
internal import Scenarios

extension RunMatrix {
  /// A vector with the different behaviours of implementations.
  public struct Difference: Sendable {
    /// The vector.
    public let vector: CorpusVector
    /// The behaviour of each group of implementations, the expected behaviour first.
    public let behaviours: [Behaviour]
    /// The implementations that skipped the vector.
    public let skippers: [String]

    /// A behaviour that some implementations share.
    public struct Behaviour: Sendable {
      /// The kind of the behaviour, by which implementations are grouped.
      public let kind: Kind
      /// Their names, in the order of the run.
      public internal(set) var implementations: [String]
      /// The behaviour of the first of them.
      public let witness: Witness?

      /// The kinds of behaviour.
      public enum Kind: Hashable, Sendable {
        /// The vector passed.
        case asExpected
        /// The failing step, and the actual outcome in the form of `Answer`.
        case failure(step: Int?, answer: JSONString)
        /// The harness failed; the text says how.
        case noVerdict(String)
      }

      /// The behaviour in one line for readers.
      public var words: String {
        switch kind {
        case .asExpected: "as expected"
        case .failure: witness?.message ?? "fails"
        case .noVerdict(let reason): "no verdict: \(reason)"
        }
      }
    }

    init(_ vector: CorpusVector, _ answers: [(label: String, result: RunReport.Result)]) {
      self.vector = vector
      var behaviours: [Behaviour] = []
      var skippers: [String] = []
      for (label, result) in answers {
        let kind: Behaviour.Kind
        var witness: Witness?
        switch result.verdict {
        case .pass: kind = .asExpected
        case .skipped:
          skippers.append(label)
          continue
        case .harnessError(let failure): kind = .noVerdict(failure.description)
        case .fail(let found):
          witness = found
          kind = .failure(step: found.step, answer: Self.spelling(of: found))
        }
        if let place = behaviours.firstIndex(where: { $0.kind == kind }) {
          behaviours[place].implementations.append(label)
        } else {
          behaviours.append(Behaviour(kind: kind, implementations: [label], witness: witness))
        }
      }
      self.behaviours =
        behaviours.filter { $0.kind == .asExpected } + behaviours.filter { $0.kind != .asExpected }
      self.skippers = skippers
    }

    /// An outcome without parts that may differ between stores of equal behaviour.
    ///
    /// Messages are removed, and so are texts that no step of the vector mentions: ids and
    /// revisions assigned by the store, sequences, incarnations.
    private static func spelling(of witness: Witness) -> JSONString {
      var known: Set<JSONString> = []
      for step in witness.vector.vector.steps { collect(step.json, &known) }
      return JSONString(plain(witness.exchange.outcome, known).serialized())
    }

    private static func collect(_ value: JSONValue, _ texts: inout Set<JSONString>) {
      switch value {
      case .string(let text): texts.insert(text)
      case .array(let elements): for element in elements { collect(element, &texts) }
      case .object(let object): for member in object.members { collect(member.value, &texts) }
      default: break
      }
    }

    private static func plain(_ value: JSONValue, _ known: Set<JSONString>) -> JSONValue {
      switch value {
      case .array(let elements): return .array(elements.map { plain($0, known) })
      case .object(let object):
        var result = JSONObject([])
        for member in object.members {
          switch member.name {
          case "message": continue
          case "seq", "last", "incarnation": result[member.name] = "…"
          // These are words of the contract, which vectors need not mention. Written content is
          // always in the vector.
          case "body": result[member.name] = member.value
          case "kind", "reason", "found", "state": result[member.name] = member.value
          default: result[member.name] = plain(member.value, known)
          }
        }
        return .object(result)
      case .string(let text) where !known.contains(text): return .string(generation(text) ?? "…")
      default: return value
      }
    }

    /// Of a revision assigned by a store, only the generation is comparable.
    private static func generation(_ text: JSONString) -> JSONString? {
      let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard !digits.isEmpty, text.utf8.dropFirst(digits.count).first == UInt8(ascii: "-") else {
        return nil
      }
      return JSONString(String(decoding: Array(digits), as: UTF8.self) + "-…")
    }
  }
}

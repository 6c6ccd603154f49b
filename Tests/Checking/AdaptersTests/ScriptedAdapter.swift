import Adapters
import Conformance
import Datastore
import JSON
import Scenarios

/// An adapter in shell: it answers each request with success, except for a test's script in vector
/// `b`.
struct ScriptedAdapter {
  /// The commands for a request of `b`; `$id` and `$line` are the request.
  let script: String
  var greeting = #""protocol":1,"name":"scripted","version":"1""#

  /// A response with success.
  static let agree = #"printf '{"id":%s,"ok":{}}\n' "$id""#

  var place: AdapterPlace { .command(command) }

  var command: String {
    """
    while IFS= read -r line; do
      id=${line#*'"id":'}; id=${id%%,*}
      case $line in
      *'"hello"'*) printf '{"id":%s,"ok":{\(greeting)}}\\n' "$id";;
      *'"for":"b","perform":{"op":"close"'*) \(script);;
      *) \(Self.agree);;
      esac
    done
    """
  }

  func implementation(operationSeconds: Double = 10) throws -> AdapterImplementation {
    try AdapterImplementation(
      place, runner: "tests",
      limits: AdapterLimits(operation: .seconds(operationSeconds), start: .seconds(60)))
  }

  /// Returns the verdicts on the vectors `a`, `b` and `c`; an adapter that always succeeds passes
  /// them.
  static func verdicts(of implementation: any ImplementationUnderTest) throws -> [Verdict] {
    let clause = Clause(id: "TREE-001", level: .must, text: "A tree is a tree.", source: "here")
    let runner = Runner(implementation)
    return try ["a", "b", "c"].map { name in
      let vector = try Vector(
        .parse(
          """
          {"id": "\(name)", "clauses": ["TREE-001"], "profile": "core", "note": "Because.",
           "steps": [{"do": {"op": "close", "store": "a"}}, {"do": {"op": "open", "store": "a"}}]}
          """))
      return runner.verdict(on: CorpusVector(vector, clauses: [clause], file: "core/tree.json"))
    }
  }
}

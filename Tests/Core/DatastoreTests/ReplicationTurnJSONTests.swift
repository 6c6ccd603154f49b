import Datastore
import JSON
import Testing

/// Turns of an implementation's own replicator.
struct ReplicationTurnJSONTests {
  static let turns: [(ReplicationTurn.Event, String)] = [
    (.start(ReplicationTurn.Start(.push, "/b")), #"{"start":{"direction":"push","remote":"/b"}}"#),
    (
      .start(ReplicationTurn.Start(.pull, "/b", filter: .live, isContinuous: true)),
      #"{"start":{"direction":"pull","remote":"/b","filter":{"live":true},"continuous":true}}"#
    ),
    (
      .response(number: 3, HTTPResponse(200, body: .null)),
      #"{"response":{"number":3,"response":{"status":200,"body":null}}}"#
    ),
    (
      .response(number: 3, HTTPResponse(500)),
      #"{"response":{"number":3,"response":{"status":500}}}"#
    ),
    (.lost(number: 4), #"{"lost":{"number":4}}"#), (.timer, #"{"timer":{}}"#),
    (.cancel, #"{"cancel":{}}"#),
  ]

  @Test(arguments: turns)
  func aTurn(event: ReplicationTurn.Event, text: String) throws {
    let operation = StoreOperation("a", .replicate(ReplicationTurn(session: "s", event)))
    let expected = #"{"op":"replicate","store":"a","session":"s","event":\#(text)}"#
    #expect(operation.json.serialized() == expected)
    #expect(try StoreOperation(try JSONValue.parse(expected)) == operation)
    #expect(operation.action.capabilities == [.replicate])
  }

  static let answers: [(ReplicationTurn.Answer, String)] = [
    (ReplicationTurn.Answer([], state: .complete), #"{"requests":[],"state":"complete"}"#),
    (
      ReplicationTurn.Answer(
        [
          ReplicationTurn.Request(
            number: 1, HTTPRequest("POST", "/b/_x%20", query: "a=b", body: [1])),
          ReplicationTurn.Request(number: 2, HTTPRequest("GET", "/b")),
        ], wakeAfter: 9, state: .error, message: "m"),
      #"{"requests":[{"number":1,"request":{"method":"POST","path":"/b/_x%20","query":"a=b","body":[1]}},"#
        + #"{"number":2,"request":{"method":"GET","path":"/b"}}],"state":"error","wakeAfter":9,"message":"m"}"#
    ),
  ]

  @Test(arguments: answers)
  func anAnswer(answer: ReplicationTurn.Answer, text: String) throws {
    let outcome = Outcome.ok(.turn(answer))
    let action = StoreAction.replicate(ReplicationTurn(session: "s", .timer))
    #expect(outcome.json.serialized() == #"{"ok":\#(text)}"#)
    #expect(try Outcome(outcome.json, of: action) == outcome)
  }

  @Test(arguments: [
    "{}", #"{"timer":{},"cancel":{}}"#, #"{"timer":7}"#, #"{"start":{"direction":"push"}}"#,
    #"{"start":{"direction":"both","remote":"/b"}}"#, #"{"lost":{}}"#,
    #"{"response":{"number":1}}"#, #"{"cancel":{"now":true}}"#,
  ])
  func whatIsNoEvent(text: String) throws {
    let json = try JSONValue.parse(
      #"{"op":"replicate","store":"a","session":"s","event":\#(text)}"#)
    #expect(throws: DecodingFailure.self) { try StoreOperation(json) }
  }
}

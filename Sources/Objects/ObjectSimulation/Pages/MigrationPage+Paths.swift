internal import Collections
internal import JSON
internal import Rendering

extension MigrationPage {
  /// The events of a path, with a lane for the application, its settings, its store and the backend.
  static func picture(_ example: MigrationAtlas.Example) -> SequencePicture {
    var picture = SequencePicture(
      lanes: ["settings", "local store", "application", "backend"], unit: "event")
    let (application, backend) = (2, 3)
    func add(
      _ lane: Int, _ sign: SequencePicture.Sign, words: String, isLoss: Bool = false
    ) {
      picture.rows.append(
        SequencePicture.Row(
          "\(picture.rows.count + 1)", lane: lane, sign: sign, words: words, isLoss: isLoss))
    }
    func send(_ words: String, _ outcome: MigrationInterruption.RequestOutcome) {
      let row = picture.rows.count
      switch outcome {
      case .answered:
        add(application, .request, words: words)
        add(backend, .performed, words: "performed; the response arrives")
        picture.messages.append(
          SequencePicture.Message(.request, from: row, to: row + 1, lane: backend))
      case .lost:
        add(application, .request, words: words)
        add(backend, .fault, words: "performed; the response is lost")
        picture.messages.append(
          SequencePicture.Message(.request, from: row, to: row + 1, lane: backend))
        picture.messages.append(
          SequencePicture.Message(.answer, from: row + 1, to: nil, lane: application))
      case .failed:
        add(application, .fault, words: "\(words): the request never arrives")
        picture.messages.append(
          SequencePicture.Message(.request, from: row, to: nil, lane: backend))
      }
    }
    for event in example.path.events {
      switch event {
      case .start: add(application, .begin, words: "the application starts the migration")
      case .step(let step):
        switch step.place {
        case .backend: add(application, .save, words: step.words)
        case .store: add(1, .local, words: step.words)
        case .settings: add(0, .local, words: step.words)
        }
      case .request(let words, let outcome): send(words, outcome)
      case .crash: add(application, .crash, words: "crash: the ids of saved objects are forgotten")
      case .retry:
        add(application, .retry, words: "the save failed; the migration is triggered again")
      case .end(let copies):
        let isFault = if case .fault = example.outcome { true } else { false }
        let isLoss = isFault || example.outcome.isRepeating
        add(
          backend, isLoss ? .unequal : .complete,
          words: "the backend has \(copies.joined(separator: ", "))", isLoss: isLoss)
      }
    }
    if case .fault(let sentence) = example.outcome {
      add(application, .unequal, words: sentence, isLoss: true)
    }
    return picture
  }
}

extension SequencePicture.Sign {
  fileprivate static let begin = Self("s", "quiet", meaning: "a start")
  fileprivate static let local = Self("·", "quiet", meaning: "a step on the device")
  fileprivate static let save = Self("w", "live", meaning: "a save at the backend")
  fileprivate static let retry = Self("t", "odd", meaning: "another try")
  fileprivate static let performed = Self("=", "good", meaning: "a performed request")
  fileprivate static let complete = Self("✓", "good", meaning: "the end: each object exists once")
  fileprivate static let unequal = Self("L", "bad", meaning: "duplicates, or a lost object")
}

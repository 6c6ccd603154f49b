public import Datastore
public import JSON
public import ObjectMapping
internal import ObjectOperations

/// What happened to each object of a journey, in the order of its stages.
///
/// A journey records it only on request, and performs the same operations with and without it.
public struct JourneyRecord: Hashable, Sendable {
  /// What an operation returned for an object.
  public struct View: Hashable, Sendable {
    /// The stage of the journey.
    public var stage: String
    /// What the operation returned.
    public var found: JSONValue
    /// The properties whose values a warning announced as uncertain.
    public var warnings: [JSONString]
  }

  /// A document of an object.
  public struct Document: Hashable, Sendable {
    /// The stage in which it was encoded or read.
    public var stage: String
    /// The store that has it; nil if it was only encoded.
    public var store: StoreName?
    /// The form: nil is the fixed form, `released` the form of the released CDTIncrementalStore.
    public var form: JSONString?
    /// The body.
    public var body: JSONValue
    /// The attachments: name, media type and base64.
    public var attachments: [RevisionAttachment]
  }

  /// One object.
  public struct Track: Hashable, Sendable {
    /// The object as it was created.
    public var object: ManagedObject
    /// The object after its change; nil before it.
    public var changed: ManagedObject?
    /// Its documents.
    public var documents: [Document] = []
    /// What came back.
    public var views: [View] = []
  }

  /// Some equal operations of a stage.
  public struct Step: Hashable, Sendable {
    /// The stage of the journey.
    public var stage: String
    /// The store.
    public var store: StoreName
    /// The name of the operation.
    public var name: String
    /// The number of operations.
    public var count: Int
  }

  /// The seed of the journey.
  public var seed: UInt64
  /// The model of the objects.
  public var model: ManagedObjectModel
  /// The form in which the stores save; nil for the fixed form.
  public var form: JSONString?
  /// The objects.
  public var tracks: [Track] = []
  /// The operations.
  public var steps: [Step] = []
  /// What was lost; nil for nothing.
  public var loss: ObjectJourney.Loss?
  /// The index of the lost object; nil if the loss concerns no single object.
  public var lostTrack: Int?
}

/// Records a journey.
final class JourneyRecorder {
  private(set) var record: JourneyRecord
  /// The objects by id, and by URI.
  private var places: [ObjectID: Int] = [:]
  private var uris: [JSONString: Int] = [:]
  /// The object of the last operation, and the form of the last encoding.
  private var current: Int?
  private var form: JSONString?

  init(seed: UInt64, _ model: ManagedObjectModel) {
    record = JourneyRecord(seed: seed, model: model)
  }

  func begin(_ objects: [ManagedObject], form: JSONString?) {
    record.form = form
    for (place, object) in objects.enumerated() {
      record.tracks.append(JourneyRecord.Track(object: object))
      places[object.id] = place
    }
  }

  func change(_ objects: [ManagedObject]) {
    for object in objects {
      if let place = places[object.id] { record.tracks[place].changed = object }
    }
  }

  func lose(_ loss: ObjectJourney.Loss) {
    record.loss = loss
    record.lostTrack = current
  }

  /// An operation that concerns several objects, or none.
  func perform(_ name: String, at store: StoreName, stage: String) {
    current = nil
    addStep(name, store, stage: stage)
  }

  func observe(_ operation: StoreOperation, _ outcome: Outcome, stage: String) {
    switch operation.action {
    case .read(let id, _):
      guard let place = places[id] else {
        current = nil
        break
      }
      current = place
      guard case .ok(.document(let document)) = outcome else { break }
      record.tracks[place].documents.append(
        JourneyRecord.Document(
          stage: stage, store: operation.store, form: record.form, body: document.body,
          attachments: document.attachments))
    default: observe(operation.action.objects, outcome, stage: stage)
    }
    addStep(operation.action.name, operation.store, stage: stage)
  }

  private func observe(_ action: ObjectAction?, _ outcome: Outcome, stage: String) {
    switch action {
    case .encode(_, let object, let form, _)?:
      current = object.objectValue?["id"]?.textValue.flatMap { places[ObjectID($0)] }
      self.form = form
      guard let current, case .encoded(let body, let attachments)? = outcome.objects else { break }
      record.tracks[current].documents.append(
        JourneyRecord.Document(stage: stage, form: form, body: body, attachments: attachments))
    case .decode(let decoding)?:
      current = places[decoding.id]
      let trust = decoding.trustsNumbers == true ? ", numbers trusted" : ""
      add(outcome, stage: "\(stage)\(trust), \(form == nil ? "fixed" : "released") form")
    case .load(.id(let id))?:
      current = places[id]
      add(outcome, stage: stage)
    case .load(.identifier(let uri))?:
      current = uris[uri]
      add(outcome, stage: "\(stage), by URI")
    default: current = nil
    }
  }

  private func add(_ outcome: Outcome, stage: String) {
    guard let current else { return }
    guard case .object(let json, let warnings, _)? = outcome.objects else {
      record.tracks[current].views.append(
        JourneyRecord.View(stage: stage, found: outcome.json, warnings: []))
      return
    }
    if let uri = json.objectValue?["identifier"]?.textValue { uris[uri] = current }
    record.tracks[current].views.append(
      JourneyRecord.View(stage: stage, found: json, warnings: warnings.map { $0.property }))
  }

  private func addStep(_ name: String, _ store: StoreName, stage: String) {
    let place = record.steps.lastIndex {
      $0.stage == stage && $0.store == store && $0.name == name
    }
    if let place {
      record.steps[place].count += 1
    } else {
      record.steps.append(
        JourneyRecord.Step(stage: stage, store: store, name: name, count: 1))
    }
  }
}

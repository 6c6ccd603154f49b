internal import Conformance
internal import Datastore
internal import Diagnosis
internal import ReferenceDatastore
internal import SQLiteSimulation
internal import Simulation

#if HTTP
  internal import CouchDBDatastore
#endif

/// An implementation of the replicas of a simulation, with the product that it is declared to be.
struct SimulatedImplementation {
  let entry: ImplementationEntry
  /// The declared product; nil if none is.
  let product: ProductFile?
  private let productName: String?

  /// - Parameter productName: the value of `--product`; nil if it was not given.
  init(
    _ entry: ImplementationEntry, productName: String?, _ manual: Manual
  ) throws(UsageError) {
    self.entry = entry
    self.productName = productName
    guard let productName else {
      product = nil
      return
    }
    product = try .named(productName, manual)
    if entry.followsModel {
      throw UsageError("\(entry.name) follows the model, so it has no product", manual)
    }
  }

  /// The options of the command line that name the implementation and its product.
  var words: [String] {
    ["--implementation", entry.name] + (productName.map { ["--product", $0] } ?? [])
  }

  /// The declared deviations.
  var deviations: [Deviation] { product?.deviations ?? [] }

  /// Makes the store of a replica, without any data.
  ///
  /// - Parameter further: deviations beside the declared ones.
  func makeStore(
    _ replica: Int, deviations further: [Deviation] = []
  ) throws(HarnessError) -> any SimulatedStore {
    switch entry.name {
    case "reference": return try World.Participants.model.makeStore(replica)
    case "sqlite": return try World.Participants.sqlite.makeStore(replica)
    default:
      let implementation = try entry.make(.memory)
      let deviations =
        further.isEmpty ? deviations : Deviation.named((deviations + further).map(\.id))
      #if HTTP
        if let server = implementation as? CouchDBDatastore {
          return ServerReplica(server, deviations: deviations)
        }
      #endif
      return PlainStore(
        implementation, followsModel: entry.followsModel, deviations: deviations)
    }
  }

  /// Returns the description of the implementation.
  func description() throws(HarnessError) -> ImplementationDescription {
    let store = try makeStore(0)
    try store.implementation.shutdown()
    return store.implementation.description
  }
}

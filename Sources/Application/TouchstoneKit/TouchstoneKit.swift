/// The API for packages that test their own implementation: the contract, JSON values, the vectors
/// and their runner, the model, the comparison with the model, and the adapter side of the
/// protocol.
///
///     import Testing
///     import TouchstoneKit
///
///     @Test func conforms() throws {
///       try Corpus.standard().check(MyStore())
///     }
///
///     @Test func agreesWithTheModel() throws {
///       try Differential { MyStore() }.check(seeds: 1...1000)
///     }
@_exported public import Adapters
@_exported public import Collections
@_exported public import ConcurrentClients
@_exported public import Conformance
@_exported public import Datastore
@_exported public import JSON
@_exported public import ObjectContexts
@_exported public import ObjectMapping
@_exported public import ObjectOperations
@_exported public import ObjectSimulation
@_exported public import ReferenceDatastore
@_exported public import Replication
@_exported public import ResolverChecking
@_exported public import Scenarios
@_exported public import Simulation

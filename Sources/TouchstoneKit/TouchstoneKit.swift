/// All that a package needs to judge an implementation of its own: the contract, JSON values, the
/// vectors, and the runner.
///
///     import Testing
///     import TouchstoneKit
///
///     @Test(arguments: try Corpus.standard().vectors(offeredBy: MyStore()))
///     func conforms(to vector: CorpusVector) throws {
///       try vector.check(MyStore())
///     }
@_exported public import Conformance
@_exported public import Datastore
@_exported public import JSON
@_exported public import Scenarios

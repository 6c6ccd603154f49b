internal import Conformance
internal import Datastore
internal import JSON
internal import Scenarios

/// The vectors that are likely to detect an error in changed files of a checkout of Touchstone.
///
/// A file of vectors has its own vectors, and a patch of a mutant the vectors that kill it. A file
/// of the sources has the vectors that kill a mutant by a patch of this file, and those that cite a
/// clause of a family of which the file, or such a mutant, names a clause. An error of another kind
/// may need other vectors, so this is an order, not a selection.
struct ChangedFiles {
  /// The vectors, in the order of the corpus.
  private(set) var vectors: Set<VectorID> = []
  /// The files without a vector that is known to detect an error in them.
  private(set) var unknown: [String] = []

  /// - Parameter paths: files of the checkout, relative to it or absolute.
  init(_ paths: [String], corpus: Corpus, mutants: MutantList) throws(CommandFailure) {
    let checkout = Files.realPath("\(corpus.folder)/..") ?? "\(corpus.folder)/.."
    let patches = try Self.patches(checkout, mutants)
    for path in paths {
      let (name, text) = try Self.file(path, in: checkout)
      let found = Self.vectors(of: name, text: text, corpus, patches: patches)
      if found.isEmpty { unknown.append(path) }
      vectors.formUnion(found)
    }
  }

  private struct Patch {
    let mutant: Mutant
    let text: [UInt8]
  }

  /// The patches of the source mutants.
  private static func patches(
    _ checkout: String, _ mutants: MutantList
  ) throws(CommandFailure) -> [Patch] {
    var patches: [Patch] = []
    for mutant in mutants.mutants where mutant.kind == .source {
      let path = "\(checkout)/tools/mutants/\(mutant.name).patch"
      guard Files.exists(path) else { continue }
      do throws(Files.Failure) {
        patches.append(Patch(mutant: mutant, text: try Files.read(path)))
      } catch {
        throw CommandFailure("\(error)")
      }
    }
    return patches
  }

  /// The path of a file from the top of the checkout on, and its bytes.
  ///
  /// - Parameter path: relative to the working folder or to the top of the checkout, or absolute.
  private static func file(
    _ path: String, in checkout: String
  ) throws(CommandFailure) -> (name: String, text: [UInt8]) {
    let inCheckout = "\(checkout)/\(path)"
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    let place = !isAbsolute && Files.exists(inCheckout) ? inCheckout : path
    let text: [UInt8]
    do throws(Files.Failure) { text = try Files.read(place) } catch {
      throw CommandFailure("--changed: \(error)")
    }
    let top = Array("\(checkout)/".utf8)
    guard let real = Files.realPath(place), real.utf8.starts(with: top) else {
      throw CommandFailure(UsageError("--changed: \(path) is not a file of \(checkout)"))
    }
    return (String(decoding: real.utf8.dropFirst(top.count), as: UTF8.self), text)
  }

  private static func vectors(
    of name: String, text: [UInt8], _ corpus: Corpus, patches: [Patch]
  ) -> [VectorID] {
    if name.utf8.starts(with: "Vectors/".utf8) {
      return corpus.vectors.filter { "Vectors/\($0.file)" == name }.map(\.id)
    }
    if name.utf8.starts(with: "tools/mutants/".utf8) {
      return patches.first { name == "tools/mutants/\($0.mutant.name).patch" }?.mutant.vectors ?? []
    }
    guard name.utf8.starts(with: "Sources/".utf8) else { return [] }
    let header = "+++ b/\(name)"
    let near = patches.filter { patch in
      patch.text.split(separator: UInt8(ascii: "\n")).contains { $0.elementsEqual(header.utf8) }
    }.map(\.mutant)
    let families = Set(near.map(\.clause.family) + families(in: text, of: corpus))
    let killers = Set(near.flatMap(\.vectors))
    return corpus.vectors.filter { vector in
      killers.contains(vector.id) || vector.clauses.contains { families.contains($0.family) }
    }.map(\.id)
  }

  /// The families of the clauses that a text names.
  private static func families(in text: [UInt8], of corpus: Corpus) -> [JSONString] {
    let words = text.split { byte in
      !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) && byte != UInt8(ascii: "-")
    }
    let named = Set(words.map { JSONString(String(decoding: $0, as: UTF8.self)) })
    return corpus.clauses.filter { named.contains($0.id.text) }.map(\.family)
  }
}

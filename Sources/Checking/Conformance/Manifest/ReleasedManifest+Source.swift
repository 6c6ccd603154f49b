internal import Digest

extension ReleasedManifest {
  /// The file that holds the hash, relative to the folder of the corpus.
  package static let sourcePath = "../Sources/Checking/Conformance/Manifest/ReleasedManifest.swift"

  /// The text of that file for a manifest.
  ///
  /// The program knows the new manifest when it is built again.
  package static func source(ofManifest text: String) -> String {
    let sha256 = DigestAlgorithm.sha256.digest(of: Array(text.utf8)).hexadecimal
    return """
      // Written by `touchstone vectors generate`. Do not edit.

      /// The corpus that this program was released with.
      package enum ReleasedManifest {
        /// The SHA-256 of its `manifest.json`, in lower-case hexadecimal.
        static let sha256 = "\(sha256)"
      }

      """
  }
}

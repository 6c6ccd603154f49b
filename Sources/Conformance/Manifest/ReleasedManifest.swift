// Written by `touchstone vectors generate`. Do not edit.

/// The corpus that this program was released with.
package enum ReleasedManifest {
  /// The SHA-256 of its `manifest.json`, in lower-case hexadecimal.
  static let sha256 = "87fbab36a6eb8c1e35cfa0b552219c1130aa09454e7e04d03d0a6d1e5400c37a"
}

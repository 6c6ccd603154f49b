// Written by `touchstone vectors generate`. Do not edit.

/// The corpus that this program was released with.
package enum ReleasedManifest {
  /// The SHA-256 of its `manifest.json`, in lower-case hexadecimal.
  static let sha256 = "ba730b6ea43e0adae3bdb084a1965607f3c5d2eccbcb7da74db221f74ac920f1"
}

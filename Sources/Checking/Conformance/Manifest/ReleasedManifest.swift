// Written by `touchstone vectors generate`. Do not edit.

/// The corpus that this program was released with.
package enum ReleasedManifest {
  /// The SHA-256 of its `manifest.json`, in lower-case hexadecimal.
  static let sha256 = "317e1aebf924c1fe4133c104f0a974146474c0900a7a0202e7bc8db818f2785e"
}

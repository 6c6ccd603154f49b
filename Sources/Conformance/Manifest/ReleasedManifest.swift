// Written by `touchstone vectors generate`. Do not edit.

/// The corpus that this program was released with.
package enum ReleasedManifest {
  /// The SHA-256 of its `manifest.json`, in lower-case hexadecimal.
  static let sha256 = "bee5f575f187a0e29d9d5a9da90bcde82fbb1e553b6b9edda75f0639c8bc4edd"
}

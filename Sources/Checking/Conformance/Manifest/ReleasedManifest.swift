// Written by `touchstone vectors generate`. Do not edit.

/// The corpus that this program was released with.
package enum ReleasedManifest {
  /// The SHA-256 of its `manifest.json`, in lower-case hexadecimal.
  static let sha256 = "0f0f5fbd179543e9ea2843cf8b8d3df71e90a97343ee7add58519f1940817356"
}

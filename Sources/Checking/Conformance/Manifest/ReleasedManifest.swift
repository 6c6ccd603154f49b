// Written by `touchstone vectors generate`. Do not edit.

/// The corpus that this program was released with.
package enum ReleasedManifest {
  /// The SHA-256 of its `manifest.json`, in lower-case hexadecimal.
  static let sha256 = "ffe842585089a88c64c7fb0eb3cb5e5ab55125a6b899f0601f0ba42d55ad9fac"
}

// Written by `touchstone vectors generate`. Do not edit.

/// The corpus that this program was released with.
package enum ReleasedManifest {
  /// The SHA-256 of its `manifest.json`, in lower-case hexadecimal.
  static let sha256 = "05f042e3e63c685b26672571e33ca3b4c7132db6ad6fc4d5bf4e9b25425ff4fd"
}

/// A language in which `touchstone new-adapter` begins an adapter.
enum AdapterLanguage: String, CaseIterable {
  case python
  case javascript
  case c
  case rust
  case go
  case java
  case kotlin
  case swift

  /// What an adapter begins with: files below the folder of the language in `tools/adapters`.
  ///
  /// Those of the folder `skeleton` lie at the top of the new folder. The others are those of the
  /// adapter that comes with touchstone, at the same place.
  var files: [String] {
    switch self {
    case .python: ["skeleton/adapter.py"]
    case .javascript: ["skeleton/adapter.mjs"]
    case .c: ["skeleton/Makefile", "skeleton/adapter.c"]
    case .rust:
      ["skeleton/Cargo.toml", "skeleton/src/main.rs", "src/json.rs", "src/json/reader.rs"]
    case .go: ["skeleton/go.mod", "skeleton/adapter.go"]
    case .java: ["skeleton/Adapter.java", "Json.java", "JsonReader.java"]
    case .kotlin: ["skeleton/Adapter.kt", "Json.kt", "JsonReader.kt"]
    case .swift: ["skeleton/Package.swift", "skeleton/Sources/adapter/main.swift"]
    }
  }

  /// The file in which there is something to do, as it lies in the new folder.
  var mainFile: String {
    switch self {
    case .python: "adapter.py"
    case .javascript: "adapter.mjs"
    case .c: "adapter.c"
    case .rust: "src/main.rs"
    case .go: "adapter.go"
    case .java: "Adapter.java"
    case .kotlin: "Adapter.kt"
    case .swift: "Sources/adapter/main.swift"
    }
  }

  /// The command that makes a program of a folder, or nil when there is nothing to make.
  ///
  /// - Parameter folder: the path as a shell reads it.
  func buildCommand(_ folder: String) -> String? {
    switch self {
    case .python, .javascript: nil
    case .c: "make -C \(folder)"
    case .rust: "cargo build --release --manifest-path \(folder)/Cargo.toml"
    case .go: "(cd \(folder) && go build -o adapter .)"
    case .java: "javac -d \(folder)/build \(folder)/*.java"
    case .kotlin: "kotlinc \(folder)/*.kt -include-runtime -d \(folder)/adapter.jar"
    case .swift: "swift build -c release --package-path \(folder)"
    }
  }

  /// The command that starts what was made.
  ///
  /// - Parameter folder: the path as a shell reads it.
  func startCommand(_ folder: String) -> String {
    switch self {
    case .python: "python3 \(folder)/adapter.py"
    case .javascript: "node \(folder)/adapter.mjs"
    case .c, .go: "\(folder)/adapter"
    case .rust: "\(folder)/target/release/adapter"
    case .java: "java -cp \(folder)/build Adapter"
    case .kotlin: "java -jar \(folder)/adapter.jar"
    case .swift: "\(folder)/.build/release/adapter"
    }
  }
}

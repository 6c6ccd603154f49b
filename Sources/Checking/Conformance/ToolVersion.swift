/// The version of Touchstone, as reports name it.
public let toolVersion = "0.1.0"

/// The name and version of this program, as the pages state them.
public let programName = "touchstone \(toolVersion)"

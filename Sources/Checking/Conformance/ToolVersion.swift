/// The version of Touchstone, as reports name it.
public let toolVersion = "0.1.0"

// What only several clients at once see.

extension Deviation {
  static let severalClients: [Deviation] = [
    Deviation(
      "resolve-in-pieces",
      "`resolve` is several writes in one request. Other clients may see some of them, and a rejected "
        + "resolution may have written a part.",
      breaks: ["CONF-006"], of: [.couchDB], isConditional: true,
      effect: .severalClients(missing: ["resolutions"]))
  ]
}

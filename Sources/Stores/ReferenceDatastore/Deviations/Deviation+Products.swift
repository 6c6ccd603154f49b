extension Deviation.Observation {
  static let couchDB = Self(product: "Apache CouchDB", versions: "3.4 to 3.5", evidence: .recorded)
  static let couchDBCluster = Self(
    product: "Apache CouchDB", versions: "3.5, several nodes", evidence: .recorded)
  static let pouchDB = Self(product: "PouchDB", versions: "9 and master", evidence: .recorded)
  static let cdtDatastore = Self(product: "CDTDatastore", versions: "2.1", evidence: .read)
}

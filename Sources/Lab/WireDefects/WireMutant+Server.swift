internal import JSON
internal import WireConformance

extension WireMutant {
  static let ofServer: [WireMutant] = [
    .value(
      "root-other-welcome", "WIR-001", says: "The root greets with another word.",
      on: When("GET", .root), at: "couchdb"
    ) { _ in "Hello" },
    .value(
      "up-maintenance", "WIR-002", says: "The server says that it is in maintenance.",
      on: When("GET", .server), at: "status"
    ) { _ in "maintenance_mode" },
    .value(
      "databases-unlisted", "WIR-003", says: "The list of databases is empty.",
      on: When("GET", .server, where: { $0.segments == ["_all_dbs"] })
    ) { _ in [] },
    .ignores(
      "uuids-one", "WIR-004", says: "The server always answers a single id.",
      on: When("GET", .server), parameter: "count"),
    .value(
      "uuids-same", "WIR-005", says: "All generated ids are the same.", on: When("GET", .server),
      at: "uuids.*"
    ) { _ in "0123456789abcdef0123456789abcdef" },
    .value(
      "session-no-user", "WIR-006", says: "A session has no user context.",
      on: When("GET", .server), at: "userCtx"
    ) { _ in nil },
    .status(
      "unknown-path-bad", "WIR-007", says: "An unknown path of the server is a bad request.",
      on: When("GET", .server), from: 404, to: 400),
    .status(
      "method-not-found", "WIR-008", says: "A method that a resource does not have answers 404.",
      on: When("*"), from: 405, to: 404),
    .header(
      "method-no-allow", "WIR-009", says: "Status 405 has no list of methods.", on: When("*"),
      field: "allow", to: nil),
    .header(
      "json-as-text", "WIR-010", says: "JSON has the type text/plain.", on: When("GET"),
      field: "content-type", to: "text/plain; charset=utf-8"),
    .status(
      "head-not-allowed", "WIR-011", says: "HEAD is not a method of any resource.",
      on: When("HEAD"), to: 405),
    .value(
      "errors-no-reason", "WIR-012", says: "Errors have no reason.", on: When("*"), at: "reason"
    ) { _ in nil },
  ]

  static let ofDatabases: [WireMutant] = [
    .status(
      "database-created-200", "WIR-020", says: "The creation of a database answers 200.",
      on: When("PUT", .database), from: 201, to: 200),
    .status(
      "database-exists-409", "WIR-021", says: "The creation of an existing database answers 409.",
      on: When("PUT", .database), from: 412, to: 409),
    .status(
      "database-names-unchecked", "WIR-022", says: "Any name of a database is accepted.",
      on: When("PUT", .database), from: 400, to: 201),
    .value(
      "database-no-start-time", "WIR-023", says: "A database has no start time.",
      on: When("GET", .database), at: "instance_start_time"
    ) { _ in nil },
    .status(
      "database-missing-empty", "WIR-024", says: "A missing database looks like an empty one.",
      on: When("GET", .database), from: 404, to: 200),
    .status(
      "database-head-always", "WIR-025", says: "HEAD of a missing database answers 200.",
      on: When("HEAD", .database), from: 404, to: 200),
    .status(
      "database-delete-always", "WIR-026", says: "DELETE of a missing database answers 200.",
      on: When("DELETE", .database), from: 404, to: 200),
    .response(
      "database-counts-deleted", "WIR-027", says: "Deleted documents are counted as documents.",
      on: When("GET", .database)
    ) { _, response in
      response.edit {
        let (live, deleted) = ($0["doc_count"].integerValue, $0["doc_del_count"].integerValue)
        $0["doc_count"] = .integer((live ?? 0) + (deleted ?? 0))
      }
    },
    .value(
      "database-fresh-deletion", "WIR-029", says: "A new database counts a deleted document.",
      on: When("GET", .database), at: "doc_del_count"
    ) { count in .integer((count.integerValue ?? 0) + 1) },
    .status(
      "database-missing-500", "WIR-030",
      says: "A resource of a missing database answers 500.", on: When("*"), from: 404, to: 500),
    .status(
      "compact-200", "WIR-031", says: "The start of a compaction answers 200.",
      on: When("POST", .part("_compact")), to: 200),
    .status(
      "compact-drops-conflicts", "WIR-032", says: "Compaction removes losing leaves.",
      on: When("GET", .document, with: "rev", after: .part("_compact")), from: 200, to: 404),
    .value(
      "commit-start-time-0", "WIR-033", says: "A commit answers 0 as the start time.",
      on: When("POST", .part("_ensure_full_commit")), at: "instance_start_time"
    ) { _ in "0" },
    .instead(
      "revs-limit-kept", "WIR-034",
      says: "A new limit of revisions is acknowledged and not stored.",
      on: When("PUT", .part("_revs_limit"))
    ) { _ in WireResponse(200, json: ["ok": true]) },
    .status(
      "security-missing", "WIR-035", says: "A database has no security object.",
      on: When("GET", .part("_security")), to: 404),
    .instead(
      "security-kept", "WIR-036",
      says: "A new security object is acknowledged and not stored.",
      on: When("PUT", .part("_security"))
    ) { _ in WireResponse(200, json: ["ok": true]) },
    .status(
      "database-patch-501", "WIR-038", says: "PATCH of a database answers 501.",
      on: When("PATCH", .database), to: 501),
    .value(
      "update-seq-constant", "WIR-039", says: "The update sequence never changes.",
      on: When("GET", .database), at: "update_seq"
    ) { _ in 0 },
  ]
}

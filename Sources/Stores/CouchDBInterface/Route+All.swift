#if HTTP
  internal import HTTPServer
  internal import JSON

  extension Route {
    /// All endpoints of CouchDB, the more specific ones first.
    static let all: [Route] = server + database + documents

    private static let server: [Route] = [
      Route("GET", "/", isOpen: true) { call in call.welcome() },
      Route("GET", "/_up", isOpen: true) { _ in .json(200, ["status": "ok", "seeds": [:]]) },
      Route("GET", "/_all_dbs") { call throws(ServiceError) in try call.allDatabases() },
      Route("GET POST", "/_dbs_info") { call throws(ServiceError) in try call.databasesInfo() },
      Route("GET", "/_uuids") { call throws(ServiceError) in try call.uuids() },
      Route("GET POST DELETE", "/_session", isOpen: true) { call throws(ServiceError) in
        try call.session()
      },
      Route("GET", "/_active_tasks") { call throws(ServiceError) in try call.activeTasks() },
      Route("GET", "/_membership") { _ in
        .json(200, ["all_nodes": ["nonode@nohost"], "cluster_nodes": ["nonode@nohost"]])
      },
      Route(
        "POST", "/_replicate",
        support: .partly("filters only by doc_ids and selector; the replicator is Touchstone's")
      ) { call throws(ServiceError) in try call.replicate() },
      Route("GET", "/_scheduler/jobs") { call throws(ServiceError) in try call.schedulerJobs() },
      Route("GET", "/_scheduler/docs") { call throws(ServiceError) in
        try call.schedulerDocuments()
      },
      Route("GET", "/_db_updates", no: "_db_updates"),
      Route("GET POST", "/_cluster_setup", no: "_cluster_setup"),
      Route("GET PUT POST DELETE", "/_node/{name}", no: "configuration and statistics of nodes"),
      Route("GET PUT POST DELETE", "/_reshard/{name}", no: "_reshard"),
      Route("GET POST", "/_search_analyze", no: "_search_analyze"),
      Route("GET", "/_utils", no: "Fauxton"),
      Route("GET", "/_utils/{name}", no: "Fauxton"),
    ]

    private static let database: [Route] = [
      Route("GET PUT POST DELETE", "/{db}", support: .partly("q, n and partitioned have no effect"))
      {
        call throws(ServiceError) in
        switch call.request.method {
        case "PUT": try call.createDatabase()
        case "DELETE": try call.deleteDatabase()
        case "POST": try call.postDocument()
        default: try call.databaseInfo()
        }
      },
      Route("GET POST", "/{db}/_all_docs") { call throws(ServiceError) in
        try call.allDocuments(prefix: nil)
      },
      Route("POST", "/{db}/_all_docs/queries") { call throws(ServiceError) in
        try call.allDocumentsQueries()
      },
      Route("GET POST", "/{db}/_design_docs") { call throws(ServiceError) in
        try call.allDocuments(prefix: "_design/")
      },
      Route("GET POST", "/{db}/_local_docs") { call throws(ServiceError) in
        try call.localDocuments()
      },
      Route("POST", "/{db}/_bulk_docs") { call throws(ServiceError) in try call.bulkDocuments() },
      Route("POST", "/{db}/_bulk_get", support: .partly("responses are JSON, not multipart")) {
        call throws(ServiceError) in try call.bulkGet()
      },
      Route(
        "GET POST", "/{db}/_changes",
        support: .partly("filters: _doc_ids, _selector and _design; functions and views give 501")
      ) { call throws(ServiceError) in try call.changes() },
      Route("POST", "/{db}/_revs_diff") { call throws(ServiceError) in try call.revsDiff() },
      Route("POST", "/{db}/_missing_revs") { call throws(ServiceError) in try call.missingRevs() },
      Route("POST", "/{db}/_find") { call throws(ServiceError) in try call.find() },
      Route("POST", "/{db}/_explain") { call throws(ServiceError) in try call.explain() },
      Route("GET POST", "/{db}/_index", support: .partly("no partial indexes")) {
        call throws(ServiceError) in try call.indexes()
      },
      Route("POST", "/{db}/_index/_bulk_delete") { call throws(ServiceError) in
        try call.deleteIndexes()
      },
      Route("DELETE", "/{db}/_index/{name}") { call throws(ServiceError) in
        try call.deleteIndex()
      },
      Route("POST", "/{db}/_compact") { call throws(ServiceError) in try call.compact() },
      Route("POST", "/{db}/_compact/{name}", no: "compaction of views"),
      Route("POST", "/{db}/_view_cleanup") { call throws(ServiceError) in
        try call.withDatabase { _ in }
        return .json(202, ["ok": true])
      },
      Route("POST", "/{db}/_purge") { call throws(ServiceError) in try call.purge() },
      Route("GET PUT", "/{db}/_revs_limit") { call throws(ServiceError) in try call.revsLimit() },
      Route("GET PUT", "/{db}/_purged_infos_limit", no: "_purged_infos_limit"),
      Route("POST", "/{db}/_ensure_full_commit") { call throws(ServiceError) in
        try call.ensureFullCommit()
      },
      Route("GET PUT", "/{db}/_security", support: .partly("stored, but without effect")) {
        call throws(ServiceError) in try call.security()
      },
      Route("POST", "/{db}/_sync_shards") { call throws(ServiceError) in
        try call.withDatabase { _ in }
        return .json(202, ["ok": true])
      },
      Route("GET", "/{db}/_shards", no: "_shards"),
      Route("GET", "/{db}/_shards/{name}", no: "_shards"),
      Route("GET POST", "/{db}/_partition/{name}", no: "partitioned databases"),
      Route("POST", "/{db}/_temp_view", no: "views"),
      Route("GET POST", "/{db}/_auto_purge", no: "_auto_purge"),
    ]

    private static let documents: [Route] = [
      Route(
        "GET PUT DELETE COPY", "/{db}/{local}",
        support: .partly("the revision is lost at a restart")
      ) {
        call throws(ServiceError) in try call.localDocument()
      },
      Route("GET POST", "/{db}/{design}/_view/{name}", no: "views"),
      Route("GET POST", "/{db}/{design}/_search/{name}", no: "text search"),
      Route("GET POST", "/{db}/{design}/_nouveau/{name}", no: "text search"),
      Route("GET POST", "/{db}/{design}/_show/{name}", no: "show functions"),
      Route("GET POST", "/{db}/{design}/_list/{name}", no: "list functions"),
      Route("POST PUT", "/{db}/{design}/_update/{name}", no: "update functions"),
      Route("GET POST PUT DELETE", "/{db}/{design}/_rewrite/{name}", no: "rewrites"),
      Route("GET", "/{db}/{design}/_info", no: "views"),
      Route("GET PUT DELETE", "/{db}/{id}/{name}") { call throws(ServiceError) in
        try call.attachment()
      },
      Route("GET PUT DELETE COPY POST", "/{db}/{id}") { call throws(ServiceError) in
        switch call.request.method {
        case "PUT": try call.putDocument()
        case "DELETE": try call.deleteDocument()
        case "COPY": try call.copyDocument()
        case "POST": throw ServiceError.badRequest("Referer header required.")
        default: try call.getDocument()
        }
      },
    ]
  }
#endif

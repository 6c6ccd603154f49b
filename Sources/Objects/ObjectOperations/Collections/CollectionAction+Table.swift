internal import Datastore

extension OperationTable {
  static let collections = OperationTable(
    """
    openCollection(client: text, collection: text, mapping: data {*: text},
      references?: data {*: {collection: text, toMany?: bool, relation?: text, computed?: bool,
      cascades?: bool, form?: text}}, defaults?: data object, policy?: text, offline?: bool, ids?: text, options?: data object)
      as open needs collections, find -> done ! badObject, badRequest
    saveToCollection(client: text, collection: text, objects: [saved-object])
      as CollectionRequest.save needs collections, find -> collection-report ! badObject, badRequest
    loadFromCollection(client: text, collection: text, ids: [name], policy?: text, depth?: integer)
      as CollectionRequest.load needs collections, find -> collection-report ! badObject, badRequest
    queryCollection(client: text, collection: text, query: data [query-step], policy?: text,
      depth?: integer) as CollectionRequest.query needs collections, find -> collection-report
      ! badObject, badRequest
    countInCollection(client: text, collection: text, query: data [query-step])
      as CollectionRequest.count needs collections, find -> collection-report ! badObject,
      badRequest
    groupInCollection(client: text, collection: text, by: [text], function: text, field?: text,
      query?: data [query-step]) as CollectionRequest.group needs collections, find
      -> collection-report ! badObject, badRequest
    removeFromCollection(client: text, collection: text, ids?: [name], objects?: [saved-object],
      query?: data [query-step], rule?: text) as CollectionRequest.remove needs collections, find
      -> collection-report ! badObject, badRequest
    setNetwork(client: text, state: data network-state, next?: data [network-state])
      needs collections, find -> done ! badRequest
    setBackendRules(collection: text, rules: data [{field: text, required?: bool, type?: text,
      minimum?: number, maximum?: number, pattern?: text}])
      as CollectionAction.setRules needs collections, find -> done ! badRequest
    drainQueue(client: text) as drain needs collections, find -> collection-report
    inspectClient(client: text) as inspect needs collections, find -> client-state
    migrateObjects(client: text, from: text, collections: [text], batch?: integer, flag?: text,
      deletes?: bool, ids?: text, background?: bool,
      costs?: data {reading?: integer, saving?: integer}, steps?: integer) as migrate
      needs collections, find, objects -> move-report ! badObject, badRequest
    crashClient(client: text) as crash needs collections, find -> done
    setSettings(client: text, settings: data object) needs collections, find -> done

    # An object to save or remove. An end of a relation is an id, an object or the tag of one.
    saved-object = {id?: name, tag?: text, values?: data object,
      related?: {*: [text | saved-object]}, unknown?: data object}
    # A step that builds a query.
    query-step = {field: text, is: data} | {field: text, meets: [<text, data>]} | {without: text}
      | {withoutOrNull: text} | {negate: true} | {any: [[query-step]]} | {all: [[query-step]]}
      | {sort: text, descending?: bool} | {limit: integer} | {skip: integer} | {copy: true}
    # The network state for a request.
    network-state = text | {lost: lost-connection} | {status: integer, error?: text}
    lost-connection = "unknown" | "timedOut" | "cannotFindHost" | "cannotConnect" | "connectionLost"
      | "cannotResolveHost" | "notConnected"
    collection-report = {requests: [collection-request], callbacks: [collection-callback],
      progress: [collection-progress], fills: [collection-fill], queue: [queue-event]}
    client-state = {collections: [text], queue: [queued-operation], settings?: data object}
    move-report = {state: "running" | "skipped" | "done" | "failed", steps: [move-step],
      requests: [collection-request], progress: [collection-progress], problem?: collection-error,
      longestMainBlock: integer}
    # A request of a client with its status or its failure.
    collection-request = {method: "POST" | "GET" | "PUT" | "DELETE", collection: text, path?: text,
      parameters?: data object, body?: data, status?: integer, failure?: lost-connection}
    # The result of a call.
    collection-callback = {objects?: [collection-object], count?: integer, groups?: data [object],
      problem?: collection-error, fromCache: bool}
    collection-progress = {done: integer, total: integer}
    # A relation that was loaded in the background.
    collection-fill = {collection: text, id: text, relation: text, objects: [collection-object],
      problem?: collection-error}
    # An object of a callback.
    collection-object = {id?: text, tag?: text, values: data object, related?: data object,
      unknown?: data object, deleted?: bool}
    # The error of a failed call.
    collection-error = {reason: text, code: integer, name?: text, field?: text,
      failures: [collection-failure], succeeded: [collection-object], queued: [text]}
    # One object that failed.
    collection-failure = {collection: text, index?: integer, id?: text, reason: text, name?: text,
      field?: text}
    queue-event = {event: "queued" | "sending" | "done" | "putBack" | "dropped" | "declined",
      collection: text, id: text, assigned?: text}
    queued-operation = {collection: text, id: text, operation: "save" | "remove"}
    move-step = {step: "readFlag" | "count" | "read" | "save" | "setFlag" | "delete",
      collection?: text, objects?: integer}
    """)
}

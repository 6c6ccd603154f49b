internal import Datastore

extension OperationTable {
  static let contexts = OperationTable(
    """
    openContext(context: text, parent?: text, policy?: text, options?: data object) as open
      needs contexts, objects, find -> done ! badObject, badRequest, conflict
    insertObject(context: text, id: name, entity: text, values?: data object) as insert
      needs contexts, objects, find -> done ! badObject, conflict
    changeObject(context: text, id: name, values: data object) as change
      needs contexts, objects, find -> done ! badObject, notFound
    deleteObject(context: text, id: name) as delete needs contexts, objects, find -> done
      ! badObject, notFound
    readInContext(context: text, id: name) as read needs contexts, objects, find -> context-object
      ! badObject, notFound
    inspectObject(context: text, id: name) needs contexts, objects, find -> inspected-object
      ! badObject, notFound
    inspectContext(context: text) as inspect needs contexts, objects, find -> inspected-context
      ! badObject
    fetchInContext(context: text, entity: text, predicate?: text, arguments?: data array,
      sort?: data [sort-key], offset?: integer, limit?: integer,
      result?: "objects" | "ids" | "count" | "groups", columns?: data array, groupBy?: [text],
      includesPendingChanges?: bool) as fetch needs contexts, objects, find -> objects
      if result = "ids": object-ids if result = "count": object-count ! badObject, badRequest
    observeFetch(context: text, observer: text, entity: text, predicate?: text,
      arguments?: data array, sort?: data [sort-key], offset?: integer, limit?: integer)
      needs contexts, objects, find -> object-ids ! badObject, badRequest, conflict
    updateFetch(context: text, observer: text) needs contexts, objects, find -> fetch-changes
      ! badObject
    refreshObject(context: text, id: name, merges: bool) as refresh needs contexts, objects, find
      -> done ! badObject, notFound
    obtainPermanentIDs(context: text, ids: [name]) needs contexts, objects, find -> done ! badObject
    rollbackContext(context: text) as rollback needs contexts, objects, find -> done ! badObject
    resetContext(context: text) as reset needs contexts, objects, find -> done ! badObject
    saveContext(context: text) as save needs contexts, objects, find -> saved-changes ! badObject,
      badID, conflict
    mergeChanges(context: text, from: text) as merge needs contexts, objects, find -> done
      ! badObject
    processConflicts(context: text) needs contexts, objects, find -> object-conflicts ! badObject
    resolveConflicts(context: text, policy: text) as resolve needs contexts, objects, find -> done
      ! badObject, badRequest

    context-object = {object: managed-object}
    inspected-object = {entity: text, isInserted: bool, isUpdated: bool, isDeleted: bool,
      isFault: bool, isTemporary: bool, values: side, changed: side, committed: side,
      version?: integer(0..)}
    inspected-context = {inserted: [text], updated: [text], deleted: [text], registered: [text],
      hasChanges: bool, events: [context-event], failure?: {code?: integer,
      invalid?: [{id: text, codes: [integer]}], conflicts?: [object-conflict],
      constraints?: [{entity: text, attributes: [text], objects: [text], row?: text}]}}
    fetch-changes = {ids: [text], changes: [fetch-change]}
    # The change of one result, with its index in the old results and in the new ones.
    fetch-change = {change: "deleted" | "inserted" | "moved" | "updated", id: text,
      from?: integer(0..), to?: integer(0..)}
    saved-changes = {inserted: [text], updated: [text], deleted: [text], events: [context-event]}
    context-event = {event: "willSave" | "deletePropagated" | "validated" | "permanentIDs"
      | "conflictsDetected" | "written" | "didSave", objects?: [text]}
    object-conflicts = {conflicts?: [object-conflict]}
    # An object that was changed on two sides.
    object-conflict = {id: text, entity: text, oldVersion: integer(0..), newVersion: integer(0..),
      object: side, cached: side, persisted: side, others?: [data object]}
    # Values by name, null if a side does not exist.
    side = data (object | null)
    """)
}

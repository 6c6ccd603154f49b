internal import Datastore

extension OperationTable {
  static let objects = OperationTable(
    """
    describeModel(model: data, transformers?: transformers,
      predicates?: [ {entity: text, predicate: text, arguments?: data array}] needs find)
      as describe needs objects -> described ! badObject
    validateObject(model: data, object: data) as validate needs objects -> validated ! badObject
    encodeObject(model: data, object: data, form?: text, transformers?: transformers) as encode
      needs objects -> encoded ! badObject, badRequest
    decodeObject(model: data, id: name, body: data, attachments?: new-attachments,
      trustsNumbers?: bool, transformers?: transformers, value?: text) as decode needs objects
      -> object ! badObject, badRequest
    coordinate(model: data, registration?: integer | "automatic", others?: [text],
      stores: [ {type: text, url: text, configuration?: text, migrates?: bool, mendsNames?: bool}],
      find?: [text], targets?: [{url: text, remote?: text}]) needs objects -> coordinated
      ! badObject
    openObjects(model: data, migrates?: bool, form?: text) as open needs objects -> opened
      ! badObject, badRequest
    saveObjects(inserted?: data array, updated?: data array, deleted?: [name]) as save needs objects
      -> saved ! badObject, conflict, notFound
    loadObject((id: name / identifier: name)) as load needs objects -> object ! badObject, notFound
    listObjects(entity: text) as list needs objects -> objects ! badObject
    checkObjects() as check needs objects -> checked
    # Objects for which a predicate holds. The store checks predicate, arguments and columns.
    fetchObjects(entity: text, predicate?: text, arguments?: data array, sort?: data [sort-key],
      offset?: integer, limit?: integer, result?: "objects" | "ids" | "count" | "groups",
      columns?: data array, groupBy?: [text]) as fetch needs objects, find -> objects
      if result = "ids": object-ids if result = "count": object-count if result = "groups": groups
      ! badObject, badRequest
    updateObjects(entity: text, predicate?: text, arguments?: data array, values: data) as updateAll
      needs objects, find -> updated ! badObject, badRequest

    # MIME types by the names of transformer classes.
    transformers = {*: text | null}
    described = {objectModel: object-model,
      warnings?: [{path: text, reason: portability-reason}]}
    # All entities by name, with all their properties by name.
    object-model = {*: {versionHash: text(^[0-9a-f]{64}$), properties: {*: {
      typeName: "utf8" | "bool" | "date1970" | "int16" | "int32" | "int64" | "double" | "float"
        | "decimal" | "xform" | "binary" | "id" | "relation-to-one" | "relation-to-many",
      versionHash: text(^[0-9a-f]{64}$), xform?: text, destination?: text}}}}
    # A portability warning about a model or a predicate.
    portability-reason = "decimal" | "transformableWithoutType" | "nameBeyondSymbols"
      | "floatingPointCompared"
    validated = {codes: [
      1570 | 1580 | 1590 | 1610 | 1620 | 1630 | 1640 | 1660 | 1670 | 1680]}
    encoded = {body: data, attachments?: {*: {type: text, data: text}}}
    object = {object: managed-object, warnings?: [{kind: "imageMayBeRounded"
      | "integerMayBeRounded" | "longDecimal" | "versionIsNumber", property: text}], value?: text}
    # An object of a model. The version of one that was never saved is 0.
    managed-object = {id: text, entity: text, values: data object, identifier?: text,
      version?: integer(0..)}
    # A store of a coordinator. One of another type has no members.
    store-of-objects = {name?: text, remote?: text with name}
    coordinated = {type: text, added: [store-of-objects | {error: error}], stores: [text],
      found: [store-of-objects], targets: [{(remote: text / error: error)}]}
    opened = {identifier: text}
    saved = {saved: [{id: text, version: integer(1..)}]}
    objects = {objects: [managed-object]}
    object-ids = {ids: [text]}
    object-count = {count: integer(0..)}
    # Values by the names of columns.
    groups = {groups: data [object]}
    updated = {updated: [text]}
    checked = {faults?: [{id: text, what: object-fault}]}
    # The error of a model, an object, its document, a store, a predicate or a sort.
    object-fault = "model" | "object" | "noEntity" | "unknownEntity" | "unknownProperty" | "wrongType"
      | "outOfRange" | "nonFiniteDate" | "badBase64" | "badImage" | "decimalImageMismatch"
      | "badEnvelope" | "missingContent" | "unknownTransformer" | "transformerFailed"
      | "modelMismatch" | "migration" | "noRemote" | "unknownType" | "badURL" | "alreadyAdded"
      | "badIdentifier" | "badFormat" | "unknownKey" | "needsQuantifier" | "unsupported"
      | "unknownContext" | "unknownObserver" | "faultUnfulfilled" | "temporaryObject" | "validation"
      | "mergeConflicts" | "constraintConflicts" | "unknownStack" | "deadlock" | "badMapping"
      | "badField" | "badValue" | "badExpression" | "badPlace" | "cannotNegate"
      | "unsupportedConditional"
    """)
}

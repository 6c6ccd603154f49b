internal import Datastore

extension OperationTable {
  static let stacks = OperationTable(
    """
    openStack(stack: text, policy?: text, options?: data object) as open
      needs stacks, contexts, objects, find -> done ! badObject, badRequest, conflict
    performInStack(stack: text, queue: text, saves?: bool, steps: [stack-step], waits?: bool,
      unheard?: bool) as perform needs stacks, contexts, objects, find -> stack-begun
      if waits = true: stack-performed ! badObject, badRequest, conflict, notFound
    saveStack(stack: text, waits?: bool, unheard?: bool) as save needs stacks, contexts, objects,
      find -> stack-begun ! badObject, conflict
    runStack(stack: text, queue?: text) as run needs stacks, contexts, objects, find -> stack-news
      ! badObject, badRequest
    resetStack(stack: text) as reset needs stacks, contexts, objects, find -> done ! badObject
    entityOfClass(class: text, prefix?: text) as entity needs stacks, contexts, objects, find
      -> stack-entity

    # A step of a closure, under its name.
    stack-step = {(insert: {id: name, entity: text, values?: data object}
      / change: {id: name, values: data object} / delete: {id: name}
      / find: {entity: text, predicate?: text, arguments?: data array, sort?: data [sort-key]}
      / findAll: {entity: text}
      / findOrInsert: {entity: text, key: text, value: data, id: name, values?: data object}
      / save: done / saveAll: done
      / perform: {queue: text, saves?: bool, steps: [stack-step]})}
    stack-begun = {operation: integer(1..)}
    stack-performed = {operation: integer(1..), results: results [stack-result]}
    # The result of a step of a closure.
    stack-result = {objects?: [managed-object], handled?: [text], inserted?: [text],
      updated?: [text], deleted?: [text], results?: [stack-result]}
    found-or-inserted = {objects: [managed-object], handled: [text]}
    changed-ids = {inserted: [text], updated: [text], deleted: [text]}
    stack-news = {events: [{event: "ran" | "saved" | "merged" | "completed" | "failed",
      queue: stack-queue, operation?: integer(1..), from?: stack-queue, inserted?: [text],
      updated?: [text], deleted?: [text], results?: [stack-result], error?: error}],
      warnings: [{warning: "sameData", id: text}
        | {warning: "sameData", entity: text, key: text, value: data}],
      ready: [stack-queue], waits: [{queue: stack-queue, waitsFor: stack-queue}]}
    stack-queue = "main" | "background" | "writer"
    stack-entity = {entity?: text}
    """)
}

/// The bundled SQLite store as a library: documents, objects, contexts and collections in a file of
/// the application.
///
///     import TouchstoneSQLite
///
///     let file = try SQLiteFile("recipes.sqlite3")
///     let store = try IncrementalStore(in: file, model)
///     let context = ManagedObjectContext(store)
///     try context.insert("Recipe", ["title": .attribute(.text("Pancakes"))])
///     try context.save()
@_exported public import Collections
@_exported public import Datastore
@_exported public import JSON
@_exported public import ObjectContexts
@_exported public import ObjectMapping
@_exported public import Replication
@_exported public import SQLiteDatastore
@_exported public import Storage

// The umbrella: one import for models, contexts and stores.

@_exported public import ObjectContext
@_exported public import ObjectMigration
@_exported public import ObjectModel
@_exported public import ObjectStore

// The umbrella: one import brings the model, predicates, objects and contexts.
@_exported public import ObjectContext
@_exported public import ObjectModel

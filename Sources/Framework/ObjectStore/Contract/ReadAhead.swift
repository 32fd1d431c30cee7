package import ObjectModel

/// What will be asked for, so that a store on a server reads it in one round trip.
public struct ReadAhead {
    /// Objects of one store, whose rows are read unless they are in memory.
    package var objects: [ManagedObjectID]
    /// To-many relationships of these objects, whose members are read.
    package var relationships: [RelationshipDescription]
    /// Fetches of objects or of values.
    package var plans: [FetchPlan]

    package init(
        objects: [ManagedObjectID] = [],
        relationships: [RelationshipDescription] = [],
        plans: [FetchPlan] = []
    ) {
        self.objects = objects
        self.relationships = relationships
        self.plans = plans
    }
}

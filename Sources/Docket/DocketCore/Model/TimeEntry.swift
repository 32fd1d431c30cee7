public import FoundationEssentials
public import ObjectGraph

/// The objects of the entity TimeEntry.
public final class TimeEntry: ManagedObject {
    // Properties of the model, written by modelgen.
    /// When the work stopped; nil while it goes on.
    @Managed("end") public var end: Date?

    @Managed("start") public var start: Date
    @Managed("task") public var task: Task?
    // End of the properties of the model.
}

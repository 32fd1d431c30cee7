package import FoundationEssentials
package import ObjectGraph

/// The objects of the entity TimeEntry.
package final class TimeEntry: ManagedObject {
    // Properties of the model, written by modelgen.
    /// When the work stopped; nil while it goes on.
    @Managed("end") package var end: Date?

    @Managed("start") package var start: Date
    @Managed("task") package var task: Task?
    // End of the properties of the model.
}

public import FoundationEssentials
public import ObjectGraph

/// The objects of the entity List.
public final class List: ManagedObject {
    // Properties of the model, written by modelgen.
    /// A colour by name or as #rrggbb.
    @Managed("color") public var color: String?

    /// The rank among its siblings; sparse.
    @Managed("displayOrder") public var displayOrder: Int64

    /// What the list is for; 0 is a plain list.
    @Managed("kind") public var kind: Int16

    /// When somebody last went through the list.
    @Managed("lastReviewed") public var lastReviewed: Date?

    @Managed("name") public var name: String

    /// How many open tasks the list holds; kept in memory by watching changes.
    @Managed("openCount") public var openCount: Int64

    /// The identity in sync; nil until the first one.
    @Managed("uuid") public var uuid: UUID?

    @Managed("children") public var children: Set<List>

    /// A list that is deleted leaves its items in the inbox.
    @Managed("items") public var items: Set<Item>

    @Managed("parent") public var parent: List?

    /// The open tasks of high priority in this list.
    @Fetched("highPriorityTasks") public var highPriorityTasks: [Task]

    /// The open tasks of this list whose due date has passed.
    @Fetched("overdueTasks") public var overdueTasks: [Task]
    // End of the properties of the model.
}

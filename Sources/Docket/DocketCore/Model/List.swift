package import FoundationEssentials
package import ObjectGraph

/// The objects of the entity List.
package final class List: ManagedObject {
    // Properties of the model, written by modelgen.
    /// A colour by name or as #rrggbb.
    @Managed("color") package var color: String?

    /// The rank among its siblings; sparse.
    @Managed("displayOrder") package var displayOrder: Int64

    /// What the list is for; 0 is a plain list.
    @Managed("kind") package var kind: Int16

    /// When somebody last went through the list.
    @Managed("lastReviewed") package var lastReviewed: Date?

    @Managed("name") package var name: String

    /// How many open tasks the list holds; kept in memory by watching changes.
    @Managed("openCount") package var openCount: Int64

    @Managed("children") package var children: Set<List>

    /// A list that is deleted leaves its items in the inbox.
    @Managed("items") package var items: Set<Item>

    @Managed("parent") package var parent: List?

    /// The open tasks of high priority in this list.
    @Fetched("highPriorityTasks") package var highPriorityTasks: [Task]

    /// The open tasks of this list whose due date has passed.
    @Fetched("overdueTasks") package var overdueTasks: [Task]
    // End of the properties of the model.
}

/// What ties a context to its parent and its children.
final class ContextFamily {
    let parent: ManagedObjectContext?
    private var members: [Child] = []
    /// Increases with each change of a to-many relationship.
    private(set) var linkEdits = 0
    /// Whether the context is saving into its parent at this moment.
    private(set) var isPushing = false

    /// A child, not retained.
    private struct Child {
        weak var context: ManagedObjectContext?
    }

    init(parent: ManagedObjectContext?) { self.parent = parent }

    /// The children that are still in use.
    var children: [ManagedObjectContext] {
        members.isEmpty ? [] : members.compactMap(\.context)
    }

    func adopt(_ child: ManagedObjectContext) {
        members.removeAll { $0.context == nil }
        members.append(Child(context: child))
    }

    /// Notes that to-many relationships have changed, here or below.
    func noteLinkEdit() { linkEdits &+= 1 }

    /// The changes of to-many relationships in all ancestors.
    var linkEditsAbove: Int {
        parent.map { $0.family.linkEdits &+ $0.family.linkEditsAbove } ?? 0
    }

    /// Runs what changes the parent: its notification has nothing new.
    func push(_ body: () -> Void) {
        isPushing = true
        defer { isPushing = false }
        body()
    }
}

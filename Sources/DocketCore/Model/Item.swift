import FoundationEssentials
package import ObjectGraph

/// A task or a note; its properties are in `Item+Properties.swift`.
package class Item: ManagedObject {
    /// Identity and times of a new item.
    package override func awakeFromInsert() {
        super.awakeFromInsert()
        uuid = UUID()
        created = Date()
        modified = created
    }

    /// The properties whose change is no modification of the item: bookkeeping and order.
    private static let quiet: Set<String> = [
        "modified", "displayOrder", "backlinks", "shortID", "subtasks", "blocks",
    ]

    /// Whether the next save leaves the time of the last modification as it is: what changes is
    /// part of something that was saved before.
    var keepsModified = false

    /// Keeps the time of the last modification.
    package override func willSave() {
        super.willSave()
        guard !isDeleted, !isInserted, !keepsModified else { return }
        let changed = changedValues()
        if changed["modified"] == nil, changed.keys.contains(where: { !Item.quiet.contains($0) }) {
            modified = Date()
        }
    }
}

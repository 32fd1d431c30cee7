import DocketFormats
public import FoundationEssentials
public import ObjectGraph

/// A task or a note.
public class Item: ManagedObject {
    // Properties of the model, written by modelgen.
    @Managed("created") public var created: Date

    /// The rank in a list ordered by hand; sparse, so a move changes one item.
    @Managed("displayOrder") public var displayOrder: Int64

    /// Fields of foreign formats that have no place here, as a JSON object.
    @Managed("extra") public var extra: String?

    @Managed("flagged") public var flagged: Bool

    /// When somebody last looked whether the item still holds.
    @Managed("lastReviewed") public var lastReviewed: Date?

    @Managed("modified") public var modified: Date

    /// Free text, Markdown.
    @Managed("notes") public var notes: String?

    /// The number that people type; given once, never changed or given again.
    @Managed("shortID") public var shortID: Int64

    @Managed("title") public var title: String

    /// When the item was put in the trash; nil while it is not there.
    @Managed("trashed") public var trashed: Date?

    /// The identity in exports, imports and sync.
    @Managed("uuid") public var uuid: UUID

    @Managed("attachments") public var attachments: Set<Attachment>

    /// The items that name this one in their text.
    @Managed("backlinks") public var backlinks: Set<Item>

    /// The items that this one names in its text.
    @Managed("links") public var links: Set<Item>

    /// The list that holds the item; nil means the inbox.
    @Managed("list") public var list: List?

    @Managed("tags") public var tags: Set<Tag>
    // End of the properties of the model.

    /// Identity and times of a new item.
    public override func awakeFromInsert() {
        super.awakeFromInsert()
        uuid = UUIDText.random()
        created = Date()
        modified = created
    }

    /// The properties that do not count as a modification of the item: bookkeeping and order.
    private static let quiet: Set<String> = [
        Item.Keys.modified, Item.Keys.displayOrder, Item.Keys.links, Item.Keys.backlinks,
        Item.Keys.shortID,
        Task.Keys.subtasks, Task.Keys.blocks,
    ]

    /// Whether the next save leaves the time of the last modification as it is: what changes is
    /// part of something that was saved before.
    var keepsModified = false

    /// Keeps the time of the last modification.
    public override func willSave() {
        super.willSave()
        guard !isDeleted, !isInserted, !keepsModified, context?.isInverting != true else { return }
        let changed = changedKeys
        if !changed.contains(Item.Keys.modified), !changed.allSatisfy(Item.quiet.contains) {
            modified = Date()
        }
    }
}

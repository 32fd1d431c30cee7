public import ObjectSync

/// What of a library is exchanged with servers, whatever their protocol.
public enum SyncEntities {
    public static let item = "Item"
    public static let list = "List"

    /// Properties of items that are one value to people; the first one is that which has words.
    static let groups = [["due", "dueDateOnly"], ["start", "startDateOnly"], ["rule", "anchor"]]

    /// The entities for a ``SyncEngine``.
    ///
    /// The encrypted text of a note is not among them: it stays here.
    public static var all: [SyncEntity] {
        var properties: [String: MergeRule] = ["notes": .text, "body": .text]
        for name in ["tags", "blockedBy"] { properties[name] = .set }
        for name in ["created", "displayOrder", "completed", "extra"] { properties[name] = .latest }
        let values = [
            "title", "flagged", "trashed", "list", "due", "dueDateOnly", "start", "startDateOnly",
            "priority", "rule", "anchor", "series", "remindTimes", "estimate", "location", "parent",
        ]
        for name in values { properties[name] = .value }
        var list = SyncEntity(
            list,
            identity: "uuid",
            properties: ["name": .value, "color": .latest]
        )
        list.endsReferences = true
        var item = SyncEntity(
            item,
            identity: "uuid",
            properties: properties,
            acyclic: ["parent", "blockedBy"],
            modified: "modified"
        )
        item.groups = groups
        return [
            list, item,
            SyncEntity("Tag", identity: "name", isImplied: true),
            SyncEntity("Location", identity: "name", isImplied: true),
        ]
    }
}

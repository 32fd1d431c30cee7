public import ObjectSync

/// What of a library is exchanged with servers, whatever their protocol.
public enum SyncEntities {
    public static let item = "Item"
    public static let list = "List"

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
        return [
            list,
            SyncEntity(
                item,
                identity: "uuid",
                properties: properties,
                acyclic: ["parent"],
                modified: "modified"
            ),
            SyncEntity("Tag", identity: "name", isImplied: true),
            SyncEntity("Location", identity: "name", isImplied: true),
        ]
    }
}

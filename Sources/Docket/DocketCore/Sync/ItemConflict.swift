public import FoundationEssentials
import ObjectGraph
import ObjectSync

/// A value of an item that an exchange with a server has not taken, because both sides had changed it
/// and the other change was later.
public struct ItemConflict: Hashable, Sendable {
    /// What people call the field, in English.
    public let field: String
    /// The server, by its name in the settings.
    public let server: String
    /// Whether it is the value that was here; else the server's.
    public let isOurs: Bool
    /// When somebody gave it the value.
    public let stamp: Date
    /// What is stored of it, which is more than one for ``SyncEntities/groups``.
    let parts: [SyncConflict]

    init(_ field: String, _ parts: [SyncConflict], _ first: SyncConflict) {
        (self.field, self.parts) = (field, parts)
        (server, isOurs, stamp) = (first.remote, first.isOurs, first.stamp)
    }

    /// What one merge has not taken of one field.
    private struct Merge: Hashable {
        let field: String
        let server: String
        let date: Date
    }

    /// Those of one item, the newest first.
    ///
    /// The place in an order is left out: it means nothing without the places of the others.
    static func all(_ stored: [SyncConflict]) -> [ItemConflict] {
        var order: [Merge] = []
        var groups: [Merge: [SyncConflict]] = [:]
        for conflict in stored where !unseen.contains(conflict.property) {
            let field = StepName.field(conflict.property)
            let merge = Merge(field: field, server: conflict.remote, date: conflict.date)
            if groups[merge] == nil { order.append(merge) }
            groups[merge, default: []].append(conflict)
        }
        let firsts = Set(SyncEntities.groups.map { $0[0] })
        return order.compactMap { merge in
            let parts = groups[merge] ?? []
            guard let first = parts.first(where: { firsts.contains($0.property) }) ?? parts.first
            else { return nil }
            return ItemConflict(merge.field, [first] + parts.filter { $0 != first }, first)
        }
    }

    /// The properties that have no name for people.
    static let unseen: Set<String> = [
        Item.Keys.displayOrder, Task.Keys.series, Item.Keys.created, Item.Keys.extra,
    ]
}

/// What becomes of values that were not taken.
public enum ConflictDecision: Sendable {
    /// The item gets them; those that it had are kept instead.
    case swap
    /// They are forgotten.
    case dismiss
}

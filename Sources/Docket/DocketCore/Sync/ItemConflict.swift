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
    /// What is stored of it: a date and whether it is a day are one value for people.
    let parts: [SyncConflict]

    init(_ field: String, _ parts: [SyncConflict], _ first: SyncConflict) {
        (self.field, self.parts) = (field, parts)
        (server, isOurs, stamp) = (first.remote, first.isOurs, first.stamp)
    }

    /// Those of one item, the newest first.
    ///
    /// The place in an order is left out: it means nothing without the places of the others.
    static func all(_ stored: [SyncConflict]) -> [ItemConflict] {
        var order: [[String]] = []
        var groups: [[String]: [SyncConflict]] = [:]
        for conflict in stored where !unseen.contains(conflict.property) {
            let field = StepName.field(conflict.property)
            let key = [field, conflict.remote]
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(conflict)
        }
        return order.compactMap { key in
            let parts = (groups[key] ?? []).sorted { $0.property < $1.property }
            return parts.first.map { ItemConflict(key[0], parts, $0) }
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

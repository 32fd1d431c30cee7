import FoundationEssentials
import ObjectContext
import ObjectModel
import ObjectStore

/// When and by whom properties were changed here, from the stores' history.
final class LocalStamps {
    /// The last change of a property.
    enum Change {
        case edit(Date)
        /// A pull from a remote, which knows when the value was given.
        case pull(remote: String)
    }

    private let coordinator: PersistentStoreCoordinator
    /// The author of pulls.
    private let author: String
    /// The changes by property; under the empty name that which has made the object.
    private var changes: [ManagedObjectID: [String: Change]] = [:]
    /// From when on the history was read.
    private var start = Date.distantFuture

    init(_ coordinator: PersistentStoreCoordinator, author: String) {
        self.coordinator = coordinator
        self.author = author
    }

    /// The last change of a property; `nil` if the history does not have it.
    ///
    /// - Parameters:
    ///   - property: the property.
    ///   - id: the object.
    ///   - date: from when on the history is read; it is read once for the earliest date.
    /// - Returns: the change.
    func change(of property: String, in id: ManagedObjectID, since date: Date) -> Change? {
        if date < start {
            read(since: date)
            start = date
        }
        return changes[id]?[property] ?? changes[id]?[""]
    }

    /// A history that cannot be read has no changes: then the objects' own times count.
    private func read(since date: Date) {
        var request = HistoryRequest()
        if date > .distantPast { request.since = date }
        changes = [:]
        request.limit = 100
        while let history = try? coordinator.history(request), !history.transactions.isEmpty {
            take(history.transactions)
            request.after = history.token
        }
    }

    private func take(_ transactions: [HistoryTransaction]) {
        for transaction in transactions {
            var made = Change.edit(transaction.date)
            if transaction.author == author, let remote = transaction.contextName {
                made = .pull(remote: remote)
            }
            for change in transaction.changes {
                switch change.kind {
                case .insert: changes[change.objectID] = ["": made]
                case .update:
                    for key in change.updatedProperties {
                        changes[change.objectID, default: [:]][key] = made
                    }
                case .delete: changes[change.objectID] = nil
                }
                // A change of pairs is reported from one side.
                let entity = coordinator.model.entity(of: change.objectID)
                for members in [change.addedMembers, change.removedMembers] {
                    for (name, ids) in members {
                        let property = entity?.property(named: name) as? RelationshipDescription
                        guard let inverse = property?.inverse else { continue }
                        for id in ids { changes[id, default: [:]][inverse.name] = made }
                    }
                }
            }
        }
    }
}

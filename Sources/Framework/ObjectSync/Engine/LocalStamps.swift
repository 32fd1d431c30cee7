import FoundationEssentials
import ObjectContext
import ObjectModel
import ObjectStore

/// When properties were changed here, from the stores' history.
final class LocalStamps {
    private let coordinator: PersistentStoreCoordinator
    private var dates: [ManagedObjectID: [String: Date]] = [:]
    /// From when on the history was read.
    private var start = Date.distantFuture

    init(_ coordinator: PersistentStoreCoordinator) { self.coordinator = coordinator }

    /// The last change of a property; `nil` if the history does not have it.
    ///
    /// - Parameters:
    ///   - property: the property.
    ///   - id: the object.
    ///   - date: from when on the history is read; it is read once for the earliest date.
    /// - Returns: the date.
    func date(of property: String, in id: ManagedObjectID, since date: Date) -> Date? {
        if date < start {
            dates = read(since: date)
            start = date
        }
        return dates[id]?[property] ?? dates[id]?[""]
    }

    /// The dates by property; under the empty name those of objects that were made.
    ///
    /// A history that cannot be read has no dates: then the objects' own times count.
    private func read(since date: Date) -> [ManagedObjectID: [String: Date]] {
        var request = HistoryRequest()
        if date > .distantPast { request.since = date }
        var result: [ManagedObjectID: [String: Date]] = [:]
        guard let history = try? coordinator.history(request) else { return result }
        for transaction in history.transactions {
            for change in transaction.changes {
                switch change.kind {
                case .insert: result[change.objectID] = ["": transaction.date]
                case .update:
                    for key in change.updatedProperties {
                        result[change.objectID, default: [:]][key] = transaction.date
                    }
                case .delete: result[change.objectID] = nil
                }
            }
        }
        return result
    }
}

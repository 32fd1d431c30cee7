public import FoundationEssentials
public import ObjectModel
public import ObjectStore

/// A place in the histories of a coordinator's stores: everything up to it was read.
///
/// It can be stored and used again after a restart.
public struct HistoryToken: Hashable, Sendable, Codable {
    /// The number of the last transaction that was read, by store identifier.
    ///
    /// A missing store was not read at all.
    public internal(set) var numbers: [String: Int64]

    /// The place before all transactions.
    public init() { numbers = [:] }
}

/// A request for saved transactions.
///
///     var request = HistoryRequest()
///     request.after = lastToken
///     request.author = "sync"
///     request.predicate = try FetchPredicate(format: "ANY changes.entityName == 'Task'")
///     let history = try coordinator.history(request)
///     lastToken = history.token
///
/// Rules (ours, where Core Data's behaviour is unclear):
/// - The conditions are joined by "and"; ``limit`` counts transactions that meet all of them.
/// - A predicate uses these keys of a transaction: `number`, `date`, `author`, `contextName`,
///   `processIdentifier`, `groupName`, and `changes`, each with `entityName`, `kind` (0 insert, 1
///   update, 2 delete), `objectID` and `updatedProperties` (names).
/// - Several stores answer one after the other, in the order in which they were added.
public struct HistoryRequest {
    /// Only transactions after this place: all of them, or error 134301.
    public var after: HistoryToken?
    /// Only transactions with higher numbers, in every store; all of them, or error 134301.
    public var afterTransaction: Int64?
    /// Only transactions at this date or later.
    public var since: Date?
    /// Only transactions of this author; `nil` for any.
    public var author: String?
    /// A condition on each transaction.
    public var predicate: FetchPredicate?
    /// The greatest number of transactions of each store, oldest first; 0 = all.
    public var limit = 0

    public init() {}
}

/// The result of a history request.
public struct HistoryResult {
    /// Oldest first.
    public let transactions: [HistoryTransaction]
    /// The place to continue from: after all transactions that were read, also those that do not
    /// match.
    public let token: HistoryToken
}

/// A transaction as an object that answers to keys, for predicates.
final class HistoryRecord: KeyValueCoding {
    private let transaction: HistoryTransaction

    init(_ transaction: HistoryTransaction) { self.transaction = transaction }

    var managedObjectID: ManagedObjectID? { nil }
    var entityNames: [String] { [] }

    func value(forKey key: String) throws -> GraphValue {
        switch key {
        case "number": .int(transaction.number)
        case "date": .date(transaction.date)
        case "author": transaction.author.map { .string($0) } ?? .null
        case "contextName": transaction.contextName.map { .string($0) } ?? .null
        case "processIdentifier": .int(Int64(transaction.processIdentifier))
        case "groupName": transaction.groupName.map { .string($0) } ?? .null
        case "changes": .array(transaction.changes.map { .object(HistoryChangeRecord($0)) })
        default:
            throw HistoryRecord.unknown(
                key,
                "number, date, author, contextName,"
                    + " processIdentifier, groupName, changes"
            )
        }
    }

    func setValue(_ value: GraphValue, forKey key: String) throws {
        throw ObjectGraphError(.unsupported, "History cannot be changed.", key: key)
    }

    fileprivate static func unknown(_ key: String, _ known: String) -> ObjectGraphError {
        ObjectGraphError(
            .undefinedKey,
            "The history has no key \"\(key)\".",
            recovery: "It has: \(known).",
            key: key
        )
    }
}

private final class HistoryChangeRecord: KeyValueCoding {
    private let change: HistoryChange

    init(_ change: HistoryChange) { self.change = change }

    var managedObjectID: ManagedObjectID? { nil }
    var entityNames: [String] { [] }

    func value(forKey key: String) throws -> GraphValue {
        switch key {
        case "entityName": .string(change.objectID.entityName)
        case "kind": .int(change.kind.rawValue)
        case "objectID": .objectID(change.objectID)
        case "updatedProperties": .array(change.updatedProperties.map { .string($0) })
        default: throw HistoryRecord.unknown(key, "entityName, kind, objectID, updatedProperties")
        }
    }

    func setValue(_ value: GraphValue, forKey key: String) throws {
        throw ObjectGraphError(.unsupported, "History cannot be changed.", key: key)
    }
}

extension HistoryChange {
    /// The names of the properties that an update changed, sorted; empty for other kinds.
    public var updatedProperties: [String] {
        guard kind == .update else { return [] }
        let names = Set(newValues.keys).union(addedMembers.keys).union(removedMembers.keys)
        return names.union(newOrders.keys).sorted()
    }
}

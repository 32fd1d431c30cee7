import DocketCore
import ObjectGraph

/// What the store has answered to conditions on values that are not in memory, each until a change
/// that concerns it.
///
/// A condition compares one property of an item with a constant. Its answer stays as it is when other
/// properties change, and when items come that do not satisfy it or go.
struct StoreAnswers {
    private struct Answer {
        let key: String
        let ids: [UInt64]
    }

    private var answers: [FetchPredicate: Answer] = [:]
    /// How many are kept, at eight bytes an item that was found.
    private static let most = 8

    /// The items for which a condition holds, by the raw values of their IDs; of those that were
    /// deleted meanwhile, too.
    ///
    /// - Parameters:
    ///   - predicate: the condition.
    ///   - context: asks the store.
    /// - Returns: the raw values.
    /// - Throws: the store's error.
    mutating func ids(
        _ predicate: FetchPredicate,
        _ context: ManagedObjectContext
    ) throws -> [UInt64] {
        if let known = answers[predicate] { return known.ids }
        let ids = try context.fetch(
            FetchRequest<ManagedObjectID>(of: Item.self, where: Condition(predicate))
        ).map(\.raw)
        // Which unsaved change was taken back, nobody tells.
        guard let key = predicate.comparedKey, !context.hasChanges else { return ids }
        if answers.count >= Self.most { forget() }
        answers[predicate] = Answer(key: key, ids: ids)
        return ids
    }

    mutating func forget() { answers = [:] }

    // MARK: Changes

    mutating func follow(_ change: ObjectsDidChange) {
        if answers.isEmpty { return }
        let (inserted, updated) = (change.inserted, change.updated)
        // What others have changed in an object that was merged is not told.
        let isOthers = { (object: ManagedObject) in object is Item || object is Attachment }
        if change.invalidatedAll || change.refreshed.contains(where: isOthers)
            || change.invalidated.contains(where: isOthers)
            || inserted.contains(where: { isOthers($0) && !$0.isInserted })
        {
            return forget()
        }
        let isAttachment = { (object: ManagedObject) in object is Attachment }
        if inserted.contains(where: isAttachment) || updated.contains(where: isAttachment)
            || change.deleted.contains(where: isAttachment)
        {
            forget { $0 == Item.Keys.attachments }
        }
        followInserted(inserted)
        for case let item as Item in updated {
            if answers.isEmpty { return }
            let changed = item.changedKeys
            forget { changed.contains($0) }
        }
    }

    /// Forgets the answers that lack one of some new objects.
    mutating func followInserted(_ inserted: Set<ManagedObject>) {
        if answers.isEmpty { return }
        for case let item as Item in inserted {
            answers = answers.filter { $0.key.holds(forNew: item) == false }
        }
    }

    private mutating func forget(_ isConcerned: (_ key: String) -> Bool) {
        answers = answers.filter { !isConcerned($0.value.key) }
    }
}

extension FetchPredicate {
    /// The property that it compares with a constant; `nil` for another condition.
    fileprivate var comparedKey: String? {
        guard case .comparison(let comparison) = self, comparison.modifier == .direct,
            case .constant = comparison.right, case .keyPath(let path) = comparison.left
        else { return nil }
        let key = path.hasSuffix(".@count") ? String(path.dropLast(7)) : path
        return key.contains(".") ? nil : key
    }

    /// Whether it holds for a new item; `nil` if that takes a statement.
    fileprivate func holds(forNew item: Item) -> Bool? {
        guard case .comparison(var comparison) = self, let key = comparedKey else { return nil }
        let isCount = comparison.left != .keyPath(key)
        let slot = item.entity.slotByName[key]
        var value = isCount ? GraphValue.int(0) : .null
        // Members that a new item was never given have not been read, and are none.
        if slot != nil, !isCount || !item.hasFault(forRelationshipNamed: key) {
            guard let known = try? item.value(forKey: key) else { return nil }
            value = known
        }
        if case .set(let objects) = value {
            if !isCount { return nil }
            value = .int(Int64(objects.count))
        }
        comparison.left = .constant(value)
        return try? FetchPredicate.comparison(comparison).evaluate(with: GraphValue.null)
    }
}

import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import SeededRandom

/// The sample data in one store, seen through a context; objects of one seed have the same numbers
/// in every store.
final class StoreSide {
    let kind: StoreKind
    let context: ManagedObjectContext
    private let bench: TestBench
    /// Where an object stands among those of its entity, subentities included, by insertion.
    private var numbers: [ManagedObjectID: Int] = [:]
    private var ids: [String: [ManagedObjectID]] = [:]
    /// Keeps the objects, so that they are read once.
    private var objects: [String: [ManagedObject]] = [:]

    init(_ kind: StoreKind, _ seed: UInt64) throws {
        self.kind = kind
        bench = try TestBench(kind)
        var random = SeededRandom(seed: seed)
        try SampleData.fill(bench.session, using: &random)
        // A store with a file answers from what it has written.
        try bench.reopen()
        let coordinator = try PersistentStoreCoordinator(model: bench.model)
        coordinator.add(bench.session.store)
        context = ManagedObjectContext(coordinator: coordinator)
        for entity in ["Item", "List", "Tag", "Values"] {
            let found = try bench.ids(entity).sorted { $0.key < $1.key }
            ids[entity] = found
            for (number, id) in found.enumerated() { numbers[id] = number }
            objects[entity] = found.map { context.object(with: $0) }
        }
    }

    /// All objects of an entity that are there, in the order of insertion.
    func all(_ entity: String) -> [ManagedObject] {
        // One that was never saved leaves the context when it is deleted.
        (objects[entity] ?? []).filter { !$0.isDeleted && $0.context != nil }
    }

    /// Predicates that are the same for a seed, but for the IDs of this store.
    func generator(_ isItem: Bool, _ seed: UInt64) -> PredicateGenerator {
        PredicateGenerator(
            random: SeededRandom(seed: seed &* 31 &+ (isItem ? 1 : 0)),
            isItem: isItem,
            lists: ids["List"] ?? [],
            tags: ids["Tag"] ?? [],
            items: ids["Item"] ?? []
        )
    }

    // MARK: What memory says

    /// The numbers of the objects that meet a predicate; `nil` if it cannot be evaluated.
    func evaluated(_ predicate: FetchPredicate, _ entity: String) throws -> [Int]? {
        let compiled = CompiledPredicate(predicate)
        let found = try? all(entity).filter { try compiled.evaluate(with: .object($0)) }
        return found?.map(number)
    }

    /// The same objects in an order.
    func sorted(
        _ numbers: [Int],
        by order: (entity: String, keys: [FetchSortDescriptor])
    ) throws -> [Int] {
        let byNumber = Dictionary(
            uniqueKeysWithValues: all(order.entity).map { (number($0), $0) }
        )
        let objects: [any KeyValueCoding] = numbers.compactMap { byNumber[$0] }
        return try objects.sorted(using: order.keys).compactMap {
            $0.managedObjectID.flatMap { self.numbers[$0] }
        }
    }

    private func number(_ object: ManagedObject) -> Int { numbers[object.objectID] ?? -1 }

    // MARK: What the store says

    /// What a request finds otherwise than expected: IDs, count, sequence or window.
    func difference(
        _ request: FetchDescription,
        _ expected: [Int],
        _ sorted: [Int],
        _ order: (entity: String, keys: [FetchSortDescriptor]),
        _ window: (limit: Int, offset: Int)
    ) throws -> String? {
        var request = request
        let found = try numbers(request)
        if Set(found) != Set(expected) || found.count != expected.count {
            return "found \(found.sorted()), not \(expected.sorted())"
        }
        let count = try context.count(for: FetchRequest<ManagedObject>(request))
        if count != expected.count { return "counted \(count), not \(expected.count)" }
        request.sortDescriptors = order.keys
        let sequence = try numbers(request)
        let keys = order.keys.map { "\($0.keyPath) \($0.comparison) \($0.isAscending)" }
        if sequence != sorted { return "sorted by \(keys): \(sequence), not \(sorted)" }
        request.limit = window.limit
        request.offset = window.offset
        let part = try numbers(request)
        let rest = sorted.dropFirst(window.offset)
        let wanted = Array(window.limit > 0 ? rest.prefix(window.limit) : rest)
        if part != wanted { return "\(window) by \(keys): \(part), not \(wanted)" }
        let counted = try context.count(for: FetchRequest<ManagedObject>(request))
        return counted == wanted.count ? nil : "\(window): counted \(counted)"
    }

    private func numbers(_ request: FetchDescription) throws -> [Int] {
        try context.fetch(FetchRequest<ManagedObjectID>(request)).map { numbers[$0] ?? -1 }
    }

    // MARK: Pending changes

    /// A few changes of every kind, not saved.
    func edit(_ random: inout SeededRandom) throws {
        func pick(_ entity: String) -> ManagedObject? { random.draw(all(entity)) }
        for _ in 0..<4 {
            guard let item = pick("Item") else { return }
            switch random.below(8) {
            case 0: try item.setValue(.string(random.pick(SampleData.texts)), forKey: "title")
            case 1: try item.setValue(.int(random.pick(SampleData.numbers)), forKey: "rank")
            case 2: try item.setValue(.null, forKey: random.pick(["rank", "notes", "list"]))
            case 3:
                guard let list = pick("List") else { return }
                try item.setValue(.object(list), forKey: "list")
            case 4:
                let tags = all("Tag").filter { _ in random.chance(3) }
                try item.setValue(.set(Set(tags.map { .object($0) })), forKey: "tags")
            case 5:
                let name = GraphValue.string(random.pick(SampleData.texts))
                try pick("List")?.setValue(name, forKey: "name")
            case 6:
                if all("Item").count > 30 { context.delete(item) }
            default:
                let new = try context.insert(entityNamed: random.chance(2) ? "Task" : "Note")
                try new.setValue(.string(random.pick(SampleData.texts)), forKey: "title")
                try new.setValue(.int(random.pick(SampleData.numbers)), forKey: "rank")
                if let list = pick("List") { try new.setValue(.object(list), forKey: "list") }
                numbers[new.objectID] = (objects["Item"] ?? []).count
                objects["Item", default: []].append(new)
            }
        }
        context.processPendingChanges()
    }
}

/// Random orders.
enum SortGenerator {
    private static let texts: [FetchSortDescriptor.Comparison] = [
        .binary, .caseInsensitive, .localized, .localizedCaseInsensitive, .localizedStandard,
    ]

    static func descriptors(
        _ isItem: Bool,
        _ random: inout SeededRandom
    ) -> (entity: String, keys: [FetchSortDescriptor]) {
        let paths =
            isItem
            ? [
                "title", "notes", "rank", "created", "done", "size", "list.name", "parent.rank",
                "parent.parent.title", "tags.@count", "body", "title.length", "list",
                "list.items.@sum.rank",
            ]
            : [
                "short", "medium", "long", "decimal", "double", "float", "string", "flag", "date",
                "data", "uuid", "uri",
            ]
        let keys = (0...random.below(3)).map { _ in
            FetchSortDescriptor(
                random.pick(paths),
                ascending: random.chance(2),
                comparison: random.pick(texts)
            )
        }
        return (isItem ? "Item" : "Values", keys)
    }
}

extension StoreSide {
    /// Whether a predicate compares objects with plain values, which a context refuses before it
    /// asks a store.
    func refuses(_ predicate: FetchPredicate, _ entity: String) -> Bool {
        do {
            _ = try context.count(
                for: FetchRequest<ManagedObject>(entityName: entity, predicate: predicate)
            )
            return false
        } catch {
            guard let error = error as? ObjectGraphError, error.code == .invalidRequest else {
                return false
            }
            return error.message.contains(" compares ")
        }
    }
}

public import DocketFormats
import FoundationEssentials
public import ObjectGraph

extension Library {
    /// The item of a reference: a short ID, a UUID or the beginning of one.
    ///
    /// - Throws: `InputError` if there is no such item, or more than one.
    public func item(_ reference: ItemReference) throws -> Item {
        let condition: Condition<Item>
        switch reference {
        case .number(let number):
            condition = \.shortID == number
        case .uuid(let uuid):
            condition = \.uuid == uuid
        case .uuidPrefix(let prefix):
            let found = try items(matching: nil).filter {
                $0.uuid.uuidString.hasPrefix(prefix)
            }
            if found.count == 1, let item = found.first { return item }
            throw InputError(
                .badReference,
                found.isEmpty
                    ? "No item has a UUID that begins with \(prefix)."
                    : "\(found.count) items have a UUID that begins with \(prefix); write more characters."
            )
        }
        if let item = try items(matching: condition, limit: 1).first { return item }
        throw Library.missing(reference)
    }

    static func missing(_ reference: ItemReference) -> InputError {
        InputError(
            .badReference,
            "The item \(spelling(reference)) does not exist; `docket list --all` shows all items."
        )
    }

    private static func spelling(_ reference: ItemReference) -> String {
        switch reference {
        case .number(let number): ShortID.string(number)
        case .uuid(let uuid): uuid.uuidString.lowercased()
        case .uuidPrefix(let prefix): prefix
        }
    }

    /// Items in display order.
    public func items(
        matching condition: Condition<Item>?,
        limit: Int = 0,
        offset: Int = 0
    ) throws -> [Item] {
        try refresh()
        var request = FetchRequest<Item>(where: condition, sortedBy: \.displayOrder)
        request.limit = limit
        request.offset = offset
        return try context.fetch(request)
    }

    /// The IDs of everything in the trash.
    public func trashedItemIDs() throws -> [ManagedObjectID] {
        try itemIDs(matching: !Library.notTrashed)
    }

    /// The tasks and notes that a list shows by default: not in the trash, not done.
    public static var openItems: Condition<Item> { notTrashed && !isDone }

    public static var notTrashed: Condition<Item> { \.trashed == nil }

    public static var isDone: Condition<Item> { Condition.task { $0.completed != nil } }
}

extension Condition where Root == Item {
    /// A condition on what only tasks have; a note has nothing there.
    public static func task(
        _ body: (PropertyPath<Item, Task>) -> Condition<Item>
    ) -> Condition<Item> { Condition { body($0.as(Task.self)) } }
}

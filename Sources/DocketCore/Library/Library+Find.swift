import FoundationEssentials
package import ObjectGraph

extension Library {
    /// The item of a reference: a short ID, a UUID or the beginning of one.
    ///
    /// - Throws: `InputError` if there is no such item, or more than one.
    package func item(_ reference: ItemReference) throws -> Item {
        let predicate: FetchPredicate
        switch reference {
        case .number(let number):
            predicate = .comparison(
                FetchComparison(.keyPath("shortID"), .equal, .constant(.int(number)))
            )
        case .uuid(let uuid):
            predicate = .comparison(
                FetchComparison(.keyPath("uuid"), .equal, .constant(.uuid(uuid)))
            )
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
        if let item = try items(matching: predicate, limit: 1).first { return item }
        throw InputError(
            .badReference,
            "The item \(Library.spelling(reference)) does not exist; `docket list --all` shows all items."
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
    package func items(
        matching predicate: FetchPredicate?,
        limit: Int = 0,
        offset: Int = 0
    ) throws -> [Item] {
        try refresh()
        var request = FetchRequest<Item>(
            entityName: "Item",
            predicate: predicate,
            sortDescriptors: Library.displayOrder
        )
        request.limit = limit
        request.offset = offset
        return try context.fetch(request)
    }

    /// The user's order; items with equal rank are ordered by identity.
    package static let displayOrder = [FetchSortDescriptor("displayOrder")]

    /// The tasks and notes that a list shows by default: not in the trash, not done.
    package static var openItems: FetchPredicate {
        .and([notTrashed, .not(isDone)])
    }

    package static var notTrashed: FetchPredicate {
        .comparison(FetchComparison(.keyPath("trashed"), .equal, .constant(.null)))
    }

    package static var isDone: FetchPredicate {
        .comparison(FetchComparison(.keyPath("completed"), .notEqual, .constant(.null)))
    }
}

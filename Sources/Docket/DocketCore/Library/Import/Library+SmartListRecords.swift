public import DocketFormats
import ObjectGraph

// Smart lists of an import and of an export.
extension Library {
    /// All saved searches and changed built-in lists, in their order.
    func smartListRecords() throws -> [SmartListRecord] {
        try SavedSearch.all(in: context, sortedBy: \.displayOrder).map { row in
            SmartListRecord(
                name: row.name,
                builtIn: row.builtIn,
                query: row.query,
                sort: row.sort,
                grouping: row.grouping,
                isHidden: row.hidden,
                rank: row.displayOrder
            )
        }
    }

    /// Those that the library does not have; what is here stays as it is.
    ///
    /// It has one if there is a list of the name, or a change of the same built-in list.
    func newSmartLists(_ records: [SmartListRecord]) throws -> [SmartListRecord] {
        if records.isEmpty { return [] }
        let lists = try smartLists()
        var names = Set(lists.all.filter { !$0.isBuiltIn }.map { QueryNames.folded($0.title) })
        var changed = Set(lists.all.filter { $0.isBuiltIn && $0.row != nil }.map(\.id))
        return records.filter { record in
            if let id = record.builtIn { return changed.insert(id).inserted }
            // The name of a built-in list would hide the saved one.
            return SmartList.named(record.name) == nil
                && names.insert(QueryNames.folded(record.name)).inserted
        }
    }

    /// Adds smart lists below those that there are, as a part of the step of an import.
    ///
    /// - Parameters:
    ///   - records: those that are not here yet.
    ///   - first: the first transaction of the step; `nil` if these are all of it.
    /// - Throws: the store's error; the items of the import stay.
    public func add(_ records: [SmartListRecord], continuing first: Int64?) throws {
        if records.isEmpty { return }
        try refresh()
        let lists = try smartLists()
        let isFirst = lists.all.allSatisfy { $0.row == nil }
        var last = lists.all.last { $0.section == .focus }?.rank ?? 0
        for record in records {
            let row = SavedSearch(context: context)
            (row.builtIn, row.name, row.query) = (record.builtIn, record.name, record.query)
            // Orders and groups of a newer program are left out.
            row.sort = record.sort.flatMap { SortWord($0) == nil ? nil : $0 }
            row.grouping = record.grouping.flatMap { ItemGrouping(rawValue: $0)?.rawValue }
            row.hidden = record.isHidden
            if isFirst || record.builtIn != nil {
                row.displayOrder = record.rank
            } else {
                last = Ranks.behind(last)
                row.displayOrder = last
            }
        }
        let subject = StepSubject(.smartList, count: records.count, title: records.first?.name)
        var info = TransactionInfo()
        info.groupName = StepName(.imported, subject).text
        info.continues = first
        do { _ = try save(context, info) } catch {
            revertChanges()
            throw error
        }
    }
}

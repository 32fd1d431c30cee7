import DocketFormats
import FoundationEssentials
import ObjectGraph

// What a file has as it is saved here is found from the rows, without an object for each item.
extension RecordImporter {
    /// The identities of the records of a part that change nothing.
    mutating func unchanged(_ part: ArraySlice<ImportedRecord>) throws -> Set<UUID> {
        var places: [UUID: Int] = [:]
        for place in part.indices { places[part[place].record.uuid] = place }
        guard places.count == part.count, !library.context.hasChanges else { return [] }
        let saved = try SavedRecords(library)
        var result: Set<UUID> = []
        var rest = part[...]
        while !rest.isEmpty {
            let uuids = rest.prefix(500).map(\.record.uuid)
            rest = rest.dropFirst(500)
            let request = FetchRequest<ManagedObjectID>(
                FetchRequest<Item>(where: Condition { $0.uuid.in(uuids) })
            )
            for known in try saved.read(library.context.fetch(request)).records() {
                guard let place = places.removeValue(forKey: known.uuid) else { continue }
                if differences(part[place], known).isEmpty { result.insert(known.uuid) }
            }
        }
        let unnamed = part.filter { places[$0.record.uuid] != nil && !hasIdentity($0) }
        return unnamed.isEmpty ? result : try result.union(recognised(unnamed, part, saved))
    }

    /// Those of some records without an identity whose content an item has that the file does not
    /// name: an export that is imported again adds nothing.
    private mutating func recognised(
        _ unnamed: [ImportedRecord],
        _ part: ArraySlice<ImportedRecord>,
        _ saved: SavedRecords
    ) throws -> Set<UUID> {
        let idsByTitle = try self.idsByTitle ?? library.idsByTitle()
        self.idsByTitle = idsByTitle
        let titles = Set(unnamed.map(\.record.title.hashValue))
        let ids = titles.sorted().flatMap { idsByTitle[$0] ?? [] }
        let named = Set(part.map(\.record.uuid))
        var candidates: [String: [ItemRecord]] = [:]
        for start in stride(from: 0, to: ids.count, by: 500) {
            let slice = Array(ids[start..<min(start + 500, ids.count)])
            for known in try saved.read(slice).records() where !named.contains(known.uuid) {
                candidates[known.title, default: []].append(known)
            }
        }
        var result: Set<UUID> = []
        for imported in unnamed {
            let title = imported.record.title
            let place = candidates[title]?.firstIndex { known in
                !known.trashed && differences(imported, known).allSatisfy { $0 == .extra }
            }
            guard let place else { continue }
            candidates[title]?.remove(at: place)
            result.insert(imported.record.uuid)
        }
        return result
    }

    /// Whether the file itself says which item a record is; a line of todo.txt usually does not.
    private func hasIdentity(_ imported: ImportedRecord) -> Bool {
        guard format == .todotxt else { return imported.isNamed }
        return imported.record.extra[ExchangeFormat.todotxt.name]["uuid"] != nil
    }

    private func differences(
        _ imported: ImportedRecord,
        _ known: ItemRecord
    ) -> [RecordField] {
        var record = imported.record
        keepSpelling(of: &record)
        return differences(imported, record, known)
    }
}

extension Library {
    /// All items by the hash of their titles.
    fileprivate func idsByTitle() throws -> [Int: [ManagedObjectID]] {
        var result: [Int: [ManagedObjectID]] = [:]
        let (ids, saved) = (try itemIDs(matching: nil), try SavedRecords(self, .line))
        for start in stride(from: 0, to: ids.count, by: 500) {
            let slice = Array(ids[start..<min(start + 500, ids.count)])
            for (id, record) in zip(slice, try saved.read(slice).records()) {
                result[record.title.hashValue, default: []].append(id)
            }
        }
        return result
    }
}

import CSQLite
import FoundationEssentials
import Glibc
import ObjectModel
package import ObjectStore

extension SQLiteStore {
    package var pages: PageReport { connection.isClosed ? PageReport() : connection.pages }

    /// Checks the file, the rows, the history and the search index.
    ///
    /// Call it on a snapshot, to use the store itself meanwhile.
    ///
    /// - Parameter progress: called with the finished part, from 0 to 1; an error of it ends the
    ///   inspection.
    /// - Returns: what was found.
    /// - Throws: `ObjectGraphError` if the file cannot be read at all.
    package func inspect(progress: ((Double) throws -> Void)?) throws -> StoreInspection {
        try translatingErrors {
            try connection.readTransaction {
                let inspector = InspectionRun(self, progress)
                try inspector.run()
                return inspector.result
            }
        }
    }

    /// Repairs what an inspection finds, in one transaction.
    ///
    /// What a user could see changed is one step of the history with the name, which undo reverts;
    /// what nobody could read (references to nothing, indexes, keys) is not part of it.
    ///
    /// - Parameters:
    ///   - name: the name of the step.
    ///   - author: who repairs, for the history.
    ///   - progress: called with the finished part, from 0 to 1; an error of it ends the repair, and
    ///     nothing has changed.
    /// - Returns: what was repaired, and what is found afterwards.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/damagedFile`` if the structure
    ///   of the file is damaged, or another one if it cannot be written. Then nothing has changed.
    package func repair(
        name: String,
        author: String?,
        progress: ((Double) throws -> Void)?
    ) throws -> StoreRepair {
        guard !isReadOnly, isOurs else {
            throw ObjectGraphError(
                .cannotWrite,
                isReadOnly
                    ? "The store \"\(url?.lastPathComponent ?? "")\" is open for reading only."
                    : "The store \"\(url?.lastPathComponent ?? "")\" was made by another framework.",
                recovery: isReadOnly ? "Open it for writing." : "Repair it there."
            )
        }
        try place?.check("nothing was repaired")
        return try translatingErrors {
            var result = StoreRepair()
            let work = RepairWork(self, name: name, author: author)
            result.repaired = try connection.transaction {
                let inspector = InspectionRun(self) { try progress?($0 * 0.6) }
                try inspector.run()
                return try work.repair(inspector)
            }
            rows.removeAll()
            result.transaction = work.committed()
            if result.repaired.contains(where: { $0.kind == .unusedFile }) {
                try removeUnusedFiles()
            }
            result.remaining = try inspect { try progress?(0.6 + $0 * 0.4) }
            return result
        }
    }
}

/// Carries out the repairs of an inspection, inside its transaction.
private final class RepairWork {
    private let store: SQLiteStore
    private let writer: HistoryWriter
    private let name: String
    private let author: String?
    private var hasBegun = false

    private var connection: Connection { store.connection }

    init(_ store: SQLiteStore, name: String, author: String?) {
        self.store = store
        self.name = name
        self.author = author
        writer = HistoryWriter(store)
    }

    /// - Returns: the findings that are repaired now.
    func repair(_ inspector: InspectionRun) throws -> [StoreFinding] {
        let findings = inspector.result.findings
        if let damage = inspector.result.findings(of: .damagedStructure).first {
            throw ObjectGraphError(
                .damagedFile,
                damage.message,
                recovery:
                    "Such damage cannot be repaired in place: save what can be read, or restore"
                    + " a backup."
            )
        }
        func has(_ kind: StoreFinding.Kind) -> Bool { findings.contains { $0.kind == kind } }
        var repaired: [StoreFinding] = []
        for (check, finding) in inspector.failed where check.repair != nil {
            for statement in check.statements { try connection.execute(statement) }
            if let value = check.value { try set(value, check.rows) }
            repaired.append(finding)
        }
        // After the rows, because a unique index needs unique values.
        if has(.damagedIndex), try buildIndexes() {
            repaired += findings.filter { $0.kind == .damagedIndex }
        }
        if has(.wrongDerivedValue) { try DerivedCheck(inspector).repair() }
        if has(.historyGap) { try HistoryGaps(inspector).repair() }
        try takeOver(inspector)
        // Other repairs may have changed texts.
        if !store.searchTables.isEmpty, has(.staleSearchIndex) || !repaired.isEmpty {
            try store.buildSearchIndex()
        }
        let others: [StoreFinding.Kind] = [
            .wrongDerivedValue, .historyGap, .historyContradiction, .lostRow, .staleSearchIndex,
            .unusedFile,
        ]
        repaired += findings.filter { others.contains($0.kind) }
        if hasBegun { try writer.finish() }
        return repaired
    }

    /// The number of the transaction with the changed values.
    func committed() -> Int64? {
        store.names = HistoryNames()
        if !hasBegun { return nil }
        var receipt = SaveReceipt(transaction: 0, insertedIDs: [])
        writer.committed(&receipt)
        return receipt.transaction
    }

    private func buildIndexes() throws -> Bool {
        do {
            try connection.run("REINDEX")
            return true
        } catch let error as SQLiteError where error.isConstraintViolation {
            return false
        }
    }

    private func begin() throws {
        if hasBegun { return }
        hasBegun = true
        var info = TransactionInfo()
        info.groupName = name
        info.author = author
        try writer.begin(info)
    }

    /// Gives rows a value, and the history its change.
    private func set(
        _ value: (schema: EntitySchema, slot: Int, value: GraphValue),
        _ rows: String
    ) throws {
        guard let column = value.schema.columns[value.slot]?.name else { return }
        let index = value.schema.layout.columnBySlot[value.slot]
        let find = try Statement(
            "SELECT Z_PK, Z_ENT FROM \(quoted(value.schema.table.name)) WHERE Z_PK IN (\(rows))",
            on: connection
        )
        var ids: [ManagedObjectID] = []
        while try find.step() {
            if let id = store.id(number: find.integer(1), key: find.integer(0)) { ids.append(id) }
        }
        find.finish()
        let update = try Statement(
            "UPDATE \(quoted(value.schema.table.name)) SET \(quoted(column)) = ?,"
                + " Z_OPT = Z_OPT + 1 WHERE Z_PK = ?",
            on: connection
        )
        defer { update.finish() }
        for id in ids {
            try update.bind(value.schema.layout.argument(value.value, slot: value.slot), at: 1)
            update.bind(id.key, at: 2)
            try update.run()
            guard store.keepsHistory else { continue }
            try begin()
            var bytes = HistoryBytesWriter()
            bytes.entry(.update, name: try number(of: value.slot, value.schema))
            // What was there is not permitted, so undo does not bring it back.
            let isOptional = value.schema.entity.slots[value.slot].isOptional
            try bytes.value(isOptional ? .null : value.value, value.schema.layout.columns[index])
            try bytes.value(value.value, value.schema.layout.columns[index])
            try writer.record(.update, of: id, bytes)
        }
    }

    private func number(of slot: Int, _ schema: EntitySchema) throws -> Int64 {
        try store.names.number(schema.entity.slots[slot].name, in: connection)
    }

    /// Lets the history know the rows as they are.
    private func takeOver(_ inspector: InspectionRun) throws {
        let check = HistoryCheck(inspector)
        guard store.keepsHistory, try check.isNeeded else { return }
        var changes: [(id: ManagedObjectID, HistoryChange.Kind, HistoryBytesWriter)] = []
        try check.forEachContradiction { schema, key, contradiction in
            let id = ManagedObjectID(
                space: store.space.number,
                entity: schema.entity.number,
                key: key
            )
            var bytes = HistoryBytesWriter()
            switch contradiction {
            case .value(let slot, let recorded, let present):
                bytes.entry(.update, name: try number(of: slot, schema))
                let null = HistoryValueForm.null.rawValue
                let isReference = recorded.first == HistoryValueForm.reference.rawValue
                // Undo must not bring back a reference to nothing.
                bytes.copy(isReference && present == [null] ? [null] : recorded)
                bytes.copy(present)
                changes.append((id, .update, bytes))
            case .lost:
                bytes.entry(.erased, name: 0)
                changes.append((id, .delete, bytes))
            case .alive: changes.append((id, .insert, bytes))
            }
        }
        for (id, kind, bytes) in changes {
            try begin()
            try writer.record(kind, of: id, bytes)
        }
    }
}

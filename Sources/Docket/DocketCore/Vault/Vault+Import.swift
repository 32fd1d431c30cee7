public import DocketFormats
import FoundationEssentials
import ObjectGraph

/// The result of an import into the vault.
///
/// It names credentials: show it, keep it nowhere.
public struct VaultImport {
    /// The program and the kind of file.
    public let title: String
    public var added = 0
    public var updated = 0
    /// Credentials that had all values of the file already.
    public var known = 0
    /// Credentials that have other values, which stayed.
    public var kept = 0
    public var skipped = 0
    /// Sentences about single entries, and what the vault has no place for.
    public var remarks: [String] = []
    public var step: VaultStep?

    /// Whether the file had credentials, but none that can be imported.
    public var hasFailed: Bool { skipped > 0 && added + updated + known + kept == 0 }

    /// `Bitwarden CSV: 12 added, 3 updated, 2 already there, 1 skipped`.
    public var sentence: String {
        let parts = [
            (added, "added"), (updated, "updated"), (known, "already there"),
            (kept, "not changed, with other values here"), (skipped, "skipped"),
        ]
        .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return "\(title): \(parts.isEmpty ? "no credentials" : parts.joined(separator: ", "))"
    }
}

extension Vault {
    /// Imports credentials, in one step of undo.
    ///
    /// A credential with the same name, user id and address is the same one, and a credential of the
    /// vault is that of one entry of the file only: of several that are alike, those with equal values
    /// first. It gets the values that it does not have. Other values replace its own only if the file
    /// says that they are newer, or with `overwrites`. An entry that the file has twice with all of its
    /// values is imported once. Nothing plain is written anywhere.
    ///
    /// - Parameters:
    ///   - export: what a reader has found.
    ///   - overwrites: whether the file's values replace those of the vault in any case.
    /// - Returns: how many were imported, and remarks about the others.
    /// - Throws: `InputError` while locked; nothing is imported then.
    /// - Complexity: O(credentials of the vault and of the file).
    public func importCredentials(
        _ export: CredentialExport,
        overwrites: Bool = false
    ) throws -> VaultImport {
        let store = try unlocked()
        try requireWritable()
        try refresh(store)
        do {
            let importer = try CredentialImporter(store.context, export, overwrites)
            try importer.run()
            var result = importer.result
            if result.added + result.updated > 0 { result.step = try saveImport(store, result) }
            return result
        } catch {
            store.context.rollback()
            throw error
        }
    }

    private func saveImport(_ store: VaultStore, _ result: VaultImport) throws -> VaultStep {
        let count = result.added + result.updated
        let name = "Imported \(count) credential\(count == 1 ? "" : "s")"
        var info = TransactionInfo()
        info.groupName = name
        _ = try advisingRepair { try store.context.save(info) }
        return VaultStep(name: name, sentence: name, id: nil)
    }
}

/// Matches the entries of a file with the credentials of a vault: equal ones first, then those of the
/// same identity in their order; the rest is new.
private final class CredentialImporter {
    /// A credential that was in the vault before.
    private final class Present {
        let credential: Credential
        let record: CredentialRecord
        /// Whether an entry of the file is this one.
        var isTaken = false

        init(_ credential: Credential) throws {
            self.credential = credential
            record = try credential.record()
        }
    }

    private struct Entry {
        let record: CredentialRecord
        /// The start of a remark: its place and name.
        let lead: String
    }

    private(set) var result: VaultImport
    private let context: ManagedObjectContext
    private let export: CredentialExport
    private let overwrites: Bool
    private let categories: CategoryTable
    /// By identity, and by all values: of many that are alike, the equal one is found at once.
    private var present: [[String]: [Present]] = [:]
    private var equal: [[String]: [Present]] = [:]

    init(_ context: ManagedObjectContext, _ export: CredentialExport, _ overwrites: Bool) throws {
        self.context = context
        self.export = export
        self.overwrites = overwrites
        result = VaultImport(title: export.title)
        categories = try CategoryTable(context)
        for credential in try Credential.all(in: context) {
            let found = try Present(credential)
            present[found.record.identity, default: []].append(found)
            equal[found.record.values, default: []].append(found)
        }
    }

    func run() throws {
        var rest: [Entry] = []
        for entry in readEntries() {
            let same =
                equal[entry.record.values]?.first { !$0.isTaken }
                ?? present[entry.record.identity]?.first {
                    !$0.isTaken && entry.record.differences(to: $0.record).isEmpty
                }
            guard let same else {
                rest.append(entry)
                continue
            }
            same.isTaken = true
            result.known += 1
        }
        for entry in rest {
            if let known = present[entry.record.identity]?.first(where: { !$0.isTaken }) {
                known.isTaken = true
                try update(known, entry)
            } else {
                try add(entry.record)
            }
        }
    }

    /// The entries, without those that the file has twice.
    private func readEntries() -> [Entry] {
        var (entries, seen) = ([Entry](), Set<[String]>())
        for event in export.events {
            switch event {
            case .remark(let sentence): result.remarks.append(sentence)
            case .failure(let problem):
                skip("\(export.place) \(problem.line)", problem.message)
            case .record(let found, let line, let remarks):
                let (record, others) = found.fitted
                let lead = "\(export.place) \(line), \(StepName.quoted(record.name))"
                result.remarks += (remarks + others).map { "\(lead): \($0)" }
                if seen.insert(record.values).inserted {
                    entries.append(Entry(record: record, lead: lead))
                } else {
                    skip(lead, "The file has it twice.")
                }
            }
        }
        return entries
    }

    private func skip(_ lead: String, _ reason: String) {
        result.skipped += 1
        result.remarks.append("\(lead), skipped: \(reason)")
    }

    private func add(_ record: CredentialRecord) throws {
        let credential = Credential(context: context)
        credential.created = record.created ?? Date()
        credential.modified = record.modified ?? Date()
        try credential.fill(with: record, categories: categories)
        result.added += 1
    }

    private func update(_ known: Present, _ entry: Entry) throws {
        let record = entry.record
        let differing = record.differences(to: known.record)
        let missing = differing.filter { known.record[$0].isEmpty }
        let isNewer = record.modified.map { $0 >= known.record.modified ?? .distantPast }
        let fields = overwrites || isNewer == true ? differing : isNewer == nil ? missing : []
        let left = differing.filter { !fields.contains($0) }
        if !left.isEmpty {
            let why =
                isNewer == nil
                ? "the file does not say when it was changed" : "it was changed here later"
            result.remarks.append(
                "\(entry.lead), other values here, which stay because \(why):"
                    + " \(CredentialField.list(left)). --overwrite takes those of the file."
            )
        }
        guard !fields.isEmpty else {
            result.kept += 1
            return
        }
        try known.credential.fill(with: record, fields: fields, categories: categories)
        known.credential.modified = record.modified ?? Date()
        result.updated += 1
        result.remarks.append("\(entry.lead), updated: \(CredentialField.list(fields)).")
    }
}

extension CredentialRecord {
    /// What makes two credentials the same one for an import.
    fileprivate var identity: [String] { [name, userID, address] }
    fileprivate var values: [String] { CredentialField.allCases.map { self[$0] } }

    /// The fields that have another value; an empty one of a file says nothing.
    fileprivate func differences(to other: CredentialRecord) -> [CredentialField] {
        CredentialField.allCases.filter { field in
            if self[field].isEmpty || self[field] == other[field] { return false }
            return field != .category || category.lowercased() != other.category.lowercased()
        }
    }
}

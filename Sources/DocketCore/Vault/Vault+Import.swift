import FoundationEssentials
import ObjectGraph

/// The result of an import into the vault.
///
/// It names credentials: show it, keep it nowhere.
package struct VaultImport {
    package var added = 0
    package var updated = 0
    /// Credentials that had all values of the file already.
    package var known = 0
    /// Credentials that were changed here after the file's time of change.
    package var newerHere = 0
    package var skipped = 0
    /// Sentences about single entries.
    package var remarks: [String] = []
    package var step: VaultStep?

    /// `Imported 12 credentials, updated 3; 2 were known; skipped 1`.
    package var sentence: String {
        func credentials(_ count: Int) -> String { "\(count) credential\(count == 1 ? "" : "s")" }
        var parts: [String] = []
        if added > 0 { parts.append("imported \(credentials(added))") }
        if updated > 0 {
            parts.append("updated \(added > 0 ? "\(updated)" : credentials(updated))")
        }
        var text = parts.isEmpty ? "nothing changed" : parts.joined(separator: ", ")
        if known > 0 { text += "; \(known) \(known == 1 ? "was" : "were") known already" }
        if newerHere > 0 { text += "; \(newerHere) stayed as changed here" }
        if skipped > 0 { text += "; skipped \(skipped)" }
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}

extension Vault {
    /// Imports credentials, in one step of undo.
    ///
    /// A credential with the same name, user id and address is the same one. It gets the file's
    /// values, unless it was changed here after the file's own time of its change. Nothing plain is
    /// written anywhere.
    ///
    /// - Parameters:
    ///   - events: what a reader has found.
    ///   - place: what the events count; see ``CredentialFormat/place``.
    /// - Returns: how many were imported, and remarks about the others.
    /// - Throws: `InputError` while locked; nothing is imported then.
    /// - Complexity: O(credentials of the vault and of the file).
    package func importCredentials(
        _ events: [CredentialEvent],
        place: String
    ) throws -> VaultImport {
        let store = try unlocked()
        try refresh(store)
        var result = VaultImport()
        let categories = try CategoryTable(store.context)
        var known: [[String]: Credential] = [:]
        for credential in try Credential.all(in: store.context) {
            known[try credential.identity()] = credential
        }
        do {
            for event in events {
                switch event {
                case .remark(let sentence): result.remarks.append(sentence)
                case .failure(let problem):
                    result.skipped += 1
                    result.remarks.append("\(place) \(problem.line), skipped: \(problem.message)")
                case .record(let record, let line, let remarks):
                    let record = record.cleaned
                    for text in remarks {
                        result.remarks.append("\(place) \(line), changed: \(text)")
                    }
                    if let problem = Vault.problem(of: record) {
                        result.skipped += 1
                        result.remarks.append("\(place) \(line), skipped: \(problem)")
                        continue
                    }
                    try take(record, &known, categories, store, &result)
                }
            }
            if result.added + result.updated > 0 {
                result.step = try saveImport(store, result)
            }
        } catch {
            store.context.rollback()
            throw error
        }
        return result
    }

    private func take(
        _ record: CredentialRecord,
        _ known: inout [[String]: Credential],
        _ categories: CategoryTable,
        _ store: VaultStore,
        _ result: inout VaultImport
    ) throws {
        let identity = [record.name, record.userID, record.address]
        guard let credential = known[identity] else {
            let credential = Credential(context: store.context)
            credential.created = record.created ?? Date()
            credential.modified = record.modified ?? Date()
            try credential.fill(with: record, categories: categories)
            known[identity] = credential
            result.added += 1
            return
        }
        let before = try credential.record()
        let changed = CredentialField.allCases.filter { field in
            // An empty field of a file says nothing.
            !record[field].isEmpty && record[field] != before[field]
        }
        if changed.isEmpty {
            result.known += 1
        } else if let here = credential.modified, let there = record.modified, here > there {
            result.newerHere += 1
        } else {
            try credential.fill(with: record, fields: changed, categories: categories)
            credential.modified = record.modified ?? Date()
            result.updated += 1
        }
    }

    private func saveImport(_ store: VaultStore, _ result: VaultImport) throws -> VaultStep {
        let count = result.added + result.updated
        let name = "Imported \(count) credential\(count == 1 ? "" : "s")"
        var info = TransactionInfo()
        info.groupName = name
        _ = try store.context.save(info)
        return VaultStep(name: name, told: name, id: nil)
    }

    /// Why a credential cannot have these values; `nil` if it can.
    private static func problem(of record: CredentialRecord) -> String? {
        if record.name.isEmpty { return "It has no name." }
        for (text, what) in [(record.name, "name"), (record.userID, "user id")]
        where text.unicodeScalars.count > 256 {
            return "Its \(what) has more than 256 characters."
        }
        return nil
    }
}

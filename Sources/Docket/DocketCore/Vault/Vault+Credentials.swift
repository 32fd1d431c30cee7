public import DocketFormats
import FoundationEssentials
public import ObjectGraph

/// A saved change of the vault.
public struct VaultStep {
    /// What the history says: the kind of change and the fields, nothing of a credential.
    public let name: String
    /// What a message says, with the name of the credential.
    ///
    /// It is plain text of the vault.
    public let sentence: String
    /// The credential; `nil` if there are several, or it was removed.
    public let id: ManagedObjectID?
}

extension Vault {
    /// Adds a credential.
    ///
    /// - Throws: `InputError` while locked, or for a value that a credential cannot have.
    @discardableResult
    public func add(_ record: CredentialRecord) throws -> VaultStep {
        let store = try unlocked()
        try refresh(store)
        var added: Credential?
        let record = record.cleaned
        try save(store, "Added a credential") {
            let credential = Credential(context: store.context)
            credential.created = Date()
            try credential.fill(with: record, categories: CategoryTable(store.context))
            added = credential
            return credential
        }
        return VaultStep(
            name: "Added a credential",
            sentence: localized("Added \(StepName.quoted(record.name))"),
            id: added?.objectID
        )
    }

    /// Changes fields of a credential.
    ///
    /// - Returns: `nil` if it has these values already.
    /// - Throws: `InputError` while locked, if it was removed, or for a value that it cannot have.
    @discardableResult
    public func edit(
        _ id: ManagedObjectID,
        _ changes: [CredentialField: String]
    ) throws -> VaultStep? {
        let store = try unlocked()
        let credential = try credential(id)
        let before = try record(id)
        var after = before
        for (field, value) in changes { after[field] = value }
        after = after.cleaned
        let changed = CredentialField.allCases.filter { before[$0] != after[$0] }
        if changed.isEmpty { return nil }
        let fields = CredentialField.list(changed)
        let name = "Edited a credential: \(fields)"
        try save(store, name) {
            try credential.fill(
                with: after,
                fields: changed,
                categories: CategoryTable(store.context)
            )
            return credential
        }
        return VaultStep(
            name: name,
            sentence: localized("Edited \(StepName.quoted(after.name)): \(fields)"),
            id: id
        )
    }

    /// Removes a credential; undo brings it back.
    @discardableResult
    public func remove(_ id: ManagedObjectID) throws -> VaultStep {
        let store = try unlocked()
        let credential = try credential(id)
        let title = try credential.text(Credential.Keys.name)
        try save(store, "Removed a credential") {
            store.context.delete(credential)
            return nil
        }
        return VaultStep(
            name: "Removed a credential",
            sentence: localized("Removed \(StepName.quoted(title))"),
            id: nil
        )
    }

    /// Undoes the last change of the vault, by whichever program; the history has only encrypted
    /// values.
    ///
    /// - Returns: what was undone; `nil` if there is nothing.
    /// - Throws: `InputError` while locked, or if a value was changed since.
    public func undo() throws -> String? {
        try invert("undone") { try $0.undoLastCommand() }
    }

    /// Redoes the change that was undone last.
    public func redo() throws -> String? {
        try invert("redone") { try $0.redoLastCommand() }
    }

    private func invert(
        _ verb: String,
        _ body: (ManagedObjectContext) throws -> HistoryOutcome?
    ) throws -> String? {
        let store = try unlocked()
        try requireWritable()
        try refresh(store)
        guard let outcome = try body(store.context) else { return nil }
        let name = outcome.step.name ?? "a change"
        if outcome.isDone { return name }
        throw InputError(
            .conflict,
            "The credential was changed since, so this was not \(verb): \(name). Nothing was "
                + "changed."
        )
    }

    // MARK: Work

    /// Saves a change as one step, or reverts it.
    func save(_ store: VaultStore, _ name: String, _ body: () throws -> Credential?) throws {
        do {
            try requireWritable()
            if let credential = try body() { credential.modified = Date() }
            var info = TransactionInfo()
            info.groupName = name
            _ = try advisingRepair { try store.context.save(info) }
        } catch {
            store.context.rollback()
            throw error
        }
    }
}

public import DocketFormats
import Encryption
public import ObjectGraph

extension Vault {
    /// The credentials that a search finds, by category and name; all without words.
    ///
    /// They are decrypted in memory: the store has no index of them.
    ///
    /// - Throws: `InputError` while the vault is locked; the store's error.
    /// - Complexity: O(credentials); some ten microseconds for each.
    public func entries(matching text: String = "") throws -> [VaultEntry] {
        let store = try unlocked()
        try refresh(store)
        let query = VaultQuery(text)
        var request = FetchRequest<Credential>()
        request.prefetch(\.category)
        return try store.context.fetch(request).map { try VaultEntry($0) }
            .filter { query.finds($0) }
            .sorted(by: VaultEntry.precedes)
    }

    /// The one credential that a person means: that of a reference such as `id:3`, the only one of
    /// this name, else the only one that a search for the words finds.
    ///
    /// - Throws: `InputError` if there is none or more than one, or the vault is locked.
    public func entry(named text: String) throws -> VaultEntry {
        let all = try entries()
        let query = VaultQuery(text)
        let exact = all.filter {
            $0.name == text || $0.title(among: all) == text || $0.reference == text
        }
        if exact.count == 1 { return exact[0] }
        let found = exact.isEmpty && !query.isEmpty ? all.filter { query.finds($0) } : exact
        if found.count == 1 { return found[0] }
        let shown = StepName.quoted(text)
        throw InputError(
            .badReference,
            found.isEmpty
                ? "No credential matches \(shown); `docket vault list` shows them."
                : "\(found.count) credentials match \(shown); add words of the user id or the "
                    + "address, or write one of \(Vault.references(found))."
        )
    }

    private static func references(_ entries: [VaultEntry]) -> String {
        let some = entries.prefix(5).map(\.reference).joined(separator: ", ")
        return entries.count > 5 ? "\(some), …" : some
    }

    /// All fields of a credential, its password included.
    ///
    /// - Throws: `InputError` if it was removed, or the vault is locked.
    public func record(_ id: ManagedObjectID) throws -> CredentialRecord {
        try credential(id).record()
    }

    func credential(_ id: ManagedObjectID) throws -> Credential {
        let store = try unlocked()
        try refresh(store)
        do {
            if let found = try store.context.existingObject(with: id) as? Credential,
                !found.isDeleted
            {
                return found
            }
        } catch let error as ObjectGraphError where error.code == .referentialIntegrity {}
        throw InputError(.conflict, "The credential was removed elsewhere.")
    }

    /// The names of all categories, in their order.
    public func categories() throws -> [String] {
        let store = try unlocked()
        try refresh(store)
        return try Category.all(in: store.context)
            .sorted { $0.displayOrder < $1.displayOrder }
            .map { try $0.title() }
    }

    // MARK: Others

    /// What other programs have saved since the last call, as their steps; empty while locked.
    ///
    /// The steps name fields, never credentials.
    public func takeOthersSteps() throws -> [String] {
        guard let store, !store.ring.isLocked else { return [] }
        try refresh(store)
        defer { othersSteps = [] }
        return othersSteps
    }

    func refresh(_ store: VaultStore) throws {
        let news = try store.follower.catchUp()
        if news.isEmpty { return }
        othersSteps += news.stepNames.isEmpty ? ["Changed the vault"] : news.stepNames
    }
}

extension [UInt8] {
    /// Whether other bytes occur in these; none do always.
    fileprivate func contains(_ other: [UInt8]) -> Bool {
        guard let first = other.first else { return true }
        var start = 0
        while let place = self[start...].firstIndex(of: first), place + other.count <= count {
            if self[place..<place + other.count].elementsEqual(other) { return true }
            start = place + 1
        }
        return false
    }
}

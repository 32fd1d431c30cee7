import DocketFormats
import FoundationEssentials
import ObjectGraph

extension Credential {
    /// A text of the credential; empty without one.
    ///
    /// - Throws: `ObjectGraphError` with code `valuesLocked` while the vault is locked.
    func text(_ key: String) throws -> String {
        if case .string(let text) = try value(forKey: key) { text } else { "" }
    }

    /// All fields, the password included.
    func record() throws -> CredentialRecord {
        var record = CredentialRecord()
        record.name = try text(Credential.Keys.name)
        record.userID = try text(Credential.Keys.userID)
        record.password = try text(Credential.Keys.password)
        record.address = try text(Credential.Keys.address)
        record.category = try category?.title() ?? ""
        record.notes = try text(Credential.Keys.notes)
        record.created = created
        record.modified = modified
        return record
    }

    /// Sets fields; the values are encrypted at once.
    ///
    /// - Throws: `InputError` for a value that a field cannot have; `ObjectGraphError` while the vault is
    ///   locked.
    func fill(
        with record: CredentialRecord,
        fields: [CredentialField] = CredentialField.allCases,
        categories: CategoryTable
    ) throws {
        if let problem = record.problem { throw problem.error }
        for field in fields {
            let text = record[field]
            let value = text.isEmpty ? GraphValue.null : .string(text)
            switch field {
            case .name: try setValue(value, forKey: Credential.Keys.name)
            case .user: try setValue(value, forKey: Credential.Keys.userID)
            case .password: try setValue(value, forKey: Credential.Keys.password)
            case .address: try setValue(value, forKey: Credential.Keys.address)
            case .notes: try setValue(value, forKey: Credential.Keys.notes)
            case .category: category = try categories.category(text)
            }
        }
    }
}

extension Category {
    /// The user's name of it, or the label of one that every vault has.
    func title() throws -> String {
        if case .string(let text) = try value(forKey: Category.Keys.name) { return text }
        return seed ?? ""
    }
}

/// The categories of a vault by name, during one change.
final class CategoryTable {
    private let context: ManagedObjectContext
    private var known: [String: Category] = [:]
    private var end: Int64 = 0

    init(_ context: ManagedObjectContext) throws {
        self.context = context
        for category in try Category.all(in: context) {
            known[try category.title().lowercased()] = category
            end = max(end, category.displayOrder)
        }
    }

    /// The category of a name, in any letter case; a new one if there is none, none for "".
    func category(_ name: String) throws -> Category? {
        if name.isEmpty { return nil }
        if let category = known[name.lowercased()] { return category }
        let category = Category(context: context)
        try category.setValue(.string(name), forKey: Category.Keys.name)
        end = Ranks.behind(end)
        category.displayOrder = end
        known[name.lowercased()] = category
        return category
    }
}

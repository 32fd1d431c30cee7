package import FoundationEssentials
package import ObjectGraph
import ObjectModel

/// A credential for lists and searches: decrypted, without its password.
///
/// It holds plain text: drop it before ``SecretMemory/end()``.
package struct VaultEntry: Identifiable {
    package let id: ManagedObjectID
    package let name: String
    package let userID: String
    package let address: String
    /// The name of its category; empty without one.
    package let category: String
    package let notes: String
    package let hasPassword: Bool
    package let modified: Date?
    /// Where its category stands among the others.
    let order: Int64
    /// Everything that a search covers, folded, a field a line.
    let folded: [UInt8]

    /// - Throws: `ObjectGraphError` with code `valuesLocked`.
    init(_ credential: Credential) throws {
        id = credential.objectID
        name = try credential.text(Credential.Keys.name)
        userID = try credential.text(Credential.Keys.userID)
        address = try credential.text(Credential.Keys.address)
        notes = try credential.text(Credential.Keys.notes)
        category = try credential.category?.title() ?? ""
        order = credential.category?.displayOrder ?? .max
        hasPassword = !credential.primitiveValue(forKey: Credential.Keys.password).isNull
        modified = credential.modified
        folded = TextFolding.foldedBytes(
            [name, userID, address, category, notes].joined(separator: "\n"),
            options: VaultEntry.options
        )
    }

    /// What names it beside others that are like it in everything, such as `id:3`; it never changes.
    package var reference: String { "id:\(id.key)" }

    static let options: FetchComparison.Options = [.caseInsensitive, .diacriticInsensitive]

    /// `bank`, or `bank (anna)` where another entry has the same name.
    package func title(among entries: [VaultEntry]) -> String {
        let isAlone = entries.count { $0.name == name } < 2
        return isAlone || userID.isEmpty ? name : "\(name) (\(userID))"
    }

    /// Whether another entry has the same name, user id and address.
    package func hasDouble(among entries: [VaultEntry]) -> Bool {
        entries.contains {
            $0.id != id && $0.name == name && $0.userID == userID && $0.address == address
        }
    }

    /// The order of lists: by category, then by name and user id.
    static func precedes(_ left: VaultEntry, _ right: VaultEntry) -> Bool {
        if left.order != right.order { return left.order < right.order }
        for (a, b) in [
            (left.category, right.category), (left.name, right.name), (left.userID, right.userID),
        ] {
            switch TextFolding.order(a, b, by: .localized) {
            case .before: return true
            case .after: return false
            case .same: continue
            }
        }
        return left.id.raw < right.id.raw
    }
}

/// The words of a search in the vault: each must be in the name, the user id, the address, the
/// category or the notes, without regard to case and accents; never in the password.
package struct VaultQuery {
    private let words: [[UInt8]]

    package init(_ text: String) {
        words = text.split(whereSeparator: \.isWhitespace).map {
            TextFolding.foldedBytes(String($0), options: VaultEntry.options)
        }
    }

    package var isEmpty: Bool { words.isEmpty }

    package func finds(_ entry: VaultEntry) -> Bool {
        words.allSatisfy { entry.folded.contains($0) }
    }
}

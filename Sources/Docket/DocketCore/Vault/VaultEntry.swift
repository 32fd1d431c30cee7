public import FoundationEssentials
public import ObjectGraph
import ObjectModel

/// A credential for lists and searches: decrypted, without its password.
///
/// It holds plain text: drop it before ``SecretMemory/end()``.
public struct VaultEntry: Identifiable {
    public let id: ManagedObjectID
    public let name: String
    public let userID: String
    public let address: String
    /// The name of its category; empty without one.
    public let category: String
    public let notes: String
    public let hasPassword: Bool
    public let modified: Date?
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
    public var reference: String { "id:\(id.key)" }

    static let options: FetchComparison.Options = [.caseInsensitive, .diacriticInsensitive]

    /// `bank`, or `bank (anna)` where another entry has the same name.
    public func title(among entries: [VaultEntry]) -> String {
        let isAlone = entries.count { $0.name == name } < 2
        return isAlone || userID.isEmpty ? name : "\(name) (\(userID))"
    }

    /// Whether another entry has the same name, user id and address.
    public func hasDouble(among entries: [VaultEntry]) -> Bool {
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
public struct VaultQuery {
    private let words: [[UInt8]]

    public init(_ text: String) {
        words = text.split(whereSeparator: \.isWhitespace).map {
            TextFolding.foldedBytes(String($0), options: VaultEntry.options)
        }
    }

    public var isEmpty: Bool { words.isEmpty }

    public func finds(_ entry: VaultEntry) -> Bool {
        words.allSatisfy { entry.folded.contains($0) }
    }
}

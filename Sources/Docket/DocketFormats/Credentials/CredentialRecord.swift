public import FoundationEssentials

/// A credential as the files of other password managers have it.
///
/// A pure value of the exchange formats; it knows neither the model nor the vault.
public struct CredentialRecord: Equatable, Sendable {
    /// A field for which a credential has no place of its own.
    public struct ExtraField: Equatable, Sendable {
        public var name: String
        public var value: String
        /// Whether the other program hides the value, as it does a password.
        public var isSecret: Bool

        public init(_ name: String, _ value: String, isSecret: Bool = false) {
            self.name = name
            self.value = value
            self.isSecret = isSecret
        }
    }

    public var name = ""
    public var userID = ""
    public var password = ""
    /// Where the credential is used, mostly a URL.
    public var address = ""
    /// The folder, with `/` between levels; empty for none.
    public var category = ""
    public var notes = ""
    public var extraFields: [ExtraField] = []
    /// When it was added and last changed, if the file says so.
    public var created: Date?
    public var modified: Date?

    public init() {}

    /// Gives a record without a name one of its other values.
    ///
    /// - Returns: whether it had none.
    mutating func takeNameIfMissing() -> Bool {
        guard name.isEmpty else { return false }
        name = [address, userID].first { !$0.isEmpty } ?? "Without a name"
        return true
    }
}

extension CredentialRecord: CustomStringConvertible, CustomReflectable {
    /// Says how much there is, and nothing of it.
    public var description: String { "<credential with \(extraFields.count) extra fields>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What a reader of credentials has found next.
public enum CredentialEvent: Equatable, Sendable {
    /// A credential, the line on which it began, and sentences about what was changed.
    case record(CredentialRecord, line: Int, remarks: [String])
    /// One entry that cannot be imported; the message has no secret.
    case failure(ImportProblem)
    /// Something about the file as a whole.
    case remark(String)
}

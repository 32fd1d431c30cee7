import ObjectGraph

/// Something that is wrong with a library: with its file, or by the rules of Docket.
public struct LibraryFinding: Hashable, Sendable {
    /// What is wrong, for programs: a kind of the store, or one of ``Kind``.
    public let kind: String
    public let count: Int
    /// One sentence for people.
    public let message: String
    /// What a repair does; `nil` if it can do nothing.
    public let repair: String?
    /// Whether it is in the vault, not in the library.
    public let isOfVault: Bool

    /// Whether the message says why the vault cannot be used, and what to do.
    public var isUnusableVault: Bool { kind == Kind.unusableVault.rawValue }

    /// What the rules of Docket forbid, and the model allows.
    public enum Kind: String, CaseIterable, Sendable {
        /// A task is below itself.
        case taskCycle = "task-cycle"
        /// A list is below itself.
        case listCycle = "list-cycle"
        /// Two tags are the same in another letter case.
        case equalTags = "equal-tags"
        /// Two lists at one place are the same in another letter case.
        case equalLists = "equal-lists"
        /// Two items have the same rank.
        case farRank = "far-rank"
        case equalRanks = "equal-ranks"
        /// An item has no number, or that of another one.
        case wrongNumber = "wrong-number"
        /// A list shows another number of items than it has.
        case wrongCount = "wrong-count"
        /// The vault cannot be opened, or not be repaired.
        case unusableVault = "unusable-vault"
    }

    init(_ kind: Kind, count: Int, _ message: String, repair: String?) {
        self.kind = kind.rawValue
        self.count = count
        self.message = message
        self.repair = repair
        isOfVault = false
    }

    /// `nil` if there is none; `words` are those for one and for several, without the full stop.
    init?(
        _ kind: Kind,
        _ count: Int,
        _ words: (one: String, many: String),
        _ rest: String = "",
        repair: String
    ) {
        if count == 0 { return nil }
        let subject = count == 1 ? words.one : words.many
        self.init(kind, count: count, "\(count) \(subject)\(rest).", repair: repair)
    }

    init(unusableVault message: String) {
        kind = Kind.unusableVault.rawValue
        count = 1
        self.message = message
        repair = nil
        isOfVault = true
    }

    init(_ finding: StoreFinding, isOfVault: Bool = false) {
        kind = finding.kind.rawValue
        count = finding.count
        message = finding.message
        repair = finding.repair
        self.isOfVault = isOfVault
    }
}

/// What `docket doctor` found.
public struct LibraryInspection: Sendable {
    public var findings: [LibraryFinding] = []
    public var items = 0
    public var objects = 0
    public var transactions = 0
    /// Whether the pages of the file have checksums.
    public var hasChecksums = false
    /// Whether there is a vault beside the library, which was checked too.
    public var hasVault = false

    public var isHealthy: Bool { findings.isEmpty }
}

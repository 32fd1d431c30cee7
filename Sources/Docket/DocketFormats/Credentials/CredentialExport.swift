/// What a file of another password manager has.
public struct CredentialExport: Sendable {
    /// The program and the kind of file, such as `Bitwarden CSV`.
    public var title: String
    /// What the number of an event counts: `line` or `entry`.
    public var place = "line"
    /// The credentials, and why others could not be read, in their order.
    public var events: [CredentialEvent] = []

    public init(_ title: String, place: String = "line") {
        self.title = title
        self.place = place
    }
}

/// What a reader has found for which Docket has no place, by kind.
struct LeftOut {
    private var counts: [(what: String, count: Int)] = []

    public mutating func note(_ what: String, _ count: Int = 1) {
        if let place = counts.firstIndex(where: { $0.what == what }) {
            counts[place].count += count
        } else {
            counts.append((what, count))
        }
    }

    /// One sentence about all of it.
    public var events: [CredentialEvent] {
        if counts.isEmpty { return [] }
        let list = counts.map { "\($0.what) (\($0.count))" }.joined(separator: ", ")
        return [.remark("Left out, because the vault has no place for it: \(list).")]
    }
}

extension InputError {
    /// A refusal of a whole file of credentials.
    public static func file(_ sentence: String) -> InputError {
        InputError(.malformed, "\(sentence)")
    }

    /// A refusal of a file that is encrypted by the program that wrote it.
    public static func encrypted(_ what: String) -> InputError {
        .file("\(what) is encrypted; export it again without encryption.")
    }
}

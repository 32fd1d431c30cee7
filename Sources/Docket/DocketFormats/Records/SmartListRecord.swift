/// A saved search, or the change of a built-in list, outside of a library.
public struct SmartListRecord: Hashable, Sendable {
    /// The ID of the changed built-in list; `nil` for a list of the user.
    public var builtIn: String?
    public var name: String
    public var query: String
    /// Words of the program that wrote them.
    public var sort: String?
    public var grouping: String?
    public var isHidden: Bool
    public var rank: Int64

    public init(
        name: String,
        builtIn: String?,
        query: String,
        sort: String?,
        grouping: String?,
        isHidden: Bool,
        rank: Int64
    ) {
        (self.name, self.builtIn, self.query) = (name, builtIn, query)
        (self.sort, self.grouping) = (sort, grouping)
        (self.isHidden, self.rank) = (isHidden, rank)
    }

    /// Members of Docket's JSON; `nil` if they are not those of a smart list.
    public init?(name: String, rank: Int64?, members: [JSONMember]) {
        self.name = name
        self.rank = rank ?? 0
        (query, isHidden) = ("", false)
        for member in members {
            switch (member.name, member.value) {
            case ("builtIn", .string(let text)): builtIn = CaptureText.cleanLine(text)
            case ("search", .string(let text)): query = CaptureText.cleanLine(text)
            case ("sort", .string(let text)): sort = text
            case ("groups", .string(let text)): grouping = text
            case ("hidden", .bool(let flag)): isHidden = flag
            case ("builtIn", _), ("search", _), ("sort", _), ("groups", _), ("hidden", _):
                return nil
            default: break
            }
        }
        if name.isEmpty || builtIn == nil && query.isEmpty { return nil }
    }

    /// The members in Docket's JSON.
    public var members: [JSONMember] {
        [
            JSONMember("kind", .string(SmartListRecord.kind)), JSONMember("title", .string(name)),
            JSONMember("order", .number(String(rank))),
        ]
            + [("builtIn", builtIn), ("search", query), ("sort", sort), ("groups", grouping)]
            .compactMap { name, text in text.map { JSONMember(name, .string($0)) } }
            + (isHidden ? [JSONMember("hidden", .bool(true))] : [])
    }

    /// The `kind` of one in Docket's JSON.
    public static let kind = "smartList"
}

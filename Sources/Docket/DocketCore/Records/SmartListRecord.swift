/// A saved search, or the change of a built-in list, outside of a library.
package struct SmartListRecord: Hashable, Sendable {
    /// The ID of the changed built-in list; `nil` for a list of the user.
    package var builtIn: String?
    package var name: String
    package var query: String
    /// As ``SavedSearch`` has them.
    package var sort: String?
    package var grouping: String?
    package var isHidden: Bool
    package var rank: Int64

    init(_ row: SavedSearch) {
        (builtIn, name, query) = (row.builtIn, row.name, row.query)
        (sort, grouping) = (row.sort, row.grouping)
        (isHidden, rank) = (row.hidden, row.displayOrder)
    }

    /// Members of Docket's JSON; `nil` if they are not those of a smart list.
    init?(name: String, rank: Int64?, members: [JSONMember]) {
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
        // Orders and groups of a newer program are left out.
        if SortWord(sort) == nil { sort = nil }
        if grouping.flatMap(ItemGrouping.init) == nil { grouping = nil }
        if name.isEmpty || builtIn == nil && query.isEmpty { return nil }
    }

    /// The members in Docket's JSON.
    var members: [JSONMember] {
        [
            JSONMember("kind", .string(SmartListRecord.kind)), JSONMember("title", .string(name)),
            JSONMember("order", .number(String(rank))),
        ]
            + [("builtIn", builtIn), ("search", query), ("sort", sort), ("groups", grouping)]
            .compactMap { name, text in text.map { JSONMember(name, .string($0)) } }
            + (isHidden ? [JSONMember("hidden", .bool(true))] : [])
    }

    /// The `kind` of one in Docket's JSON.
    static let kind = "smartList"
}

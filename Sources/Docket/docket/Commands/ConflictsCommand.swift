import ArgumentParser
import CivilTime
import DocketCore
import DocketFormats
import FoundationEssentials

/// `docket conflicts`: the values that exchanges have not taken.
struct ConflictsCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "Show the values that synchronizing has not taken, and take or forget them.",
        discussion: """
            If both sides have changed a field, the later value counts, and the other one is kept as a \
            conflict until somebody has decided. Without IDs those of all items and lists are shown. \
            --swap gives the items and lists that are named the other values, and keeps what they had \
            instead; --forget keeps what they have. Each is a step, which docket undo takes back. \
            docket list is:conflict lists the items.
            """
    )

    @OptionGroup var store: StoreLocation
    @Argument(help: "Short IDs or UUIDs of items.") var ids: [String] = []
    @Option(
        help: "The path of a list, such as Home or Home/Garden.",
        completion: ShellCompletion.lists
    )
    var list: String?
    @Option(help: "Only this field, by the name that is shown, such as title.") var field: String?
    @Flag(help: "Take the values.") var swap = false
    @Flag(help: "Forget the values.") var forget = false
    @Flag(help: "As JSON.") var json = false

    func validate() throws {
        if swap, forget { throw ValidationError("--swap and --forget are one or the other.") }
        if list != nil, !ids.isEmpty { throw ValidationError("Name items or a list, not both.") }
        guard swap || forget else { return }
        if ids.isEmpty, list == nil {
            throw ValidationError("Name the items, or a list by --list.")
        }
        if json { throw ValidationError("--json shows conflicts; it decides nothing.") }
    }

    func perform() throws {
        let library = try store.open(swap || forget ? .writing : .reading)
        defer { library.close() }
        let found = try conflicts(in: library)
        if swap || forget {
            if found.isEmpty {
                return try Console.print("Nothing changed: there is no such conflict.")
            }
            let step = try library.settle(found, by: swap ? .swap : .dismiss)
            return try Console.print(step.map { Console.shown($0.name) } ?? "Nothing changed.")
        }
        let format = DateFormat(context: library.clock())
        if json { return try Console.print(.array(found.flatMap { Self.values($0, format) })) }
        if found.isEmpty, Console.isTerminal { Console.note("Nothing is in conflict.") }
        for part in found { try Self.print(part, format) }
    }

    private func conflicts(in library: Library) throws -> [ConflictedObject] {
        var found: [ConflictedObject]
        if let list {
            let path = ListPath.parse(list)
            guard let known = try library.existingList(path: path) else {
                throw InputError(.badReference, "There is no list \(list).")
            }
            found = try library.conflictedObjects().filter { $0.object === known }
        } else if ids.isEmpty {
            found = try library.conflictedObjects()
        } else {
            let items = try ids.map { try library.item(ItemReference($0)) }
            found = try library.conflictedObjects().filter { one in
                items.contains { $0 === one.object }
            }
        }
        guard let field else { return found }
        return found.compactMap { one in
            var one = one
            one.conflicts.removeAll { $0.field != field }
            return one.conflicts.isEmpty ? nil : one
        }
    }

    private static func print(_ one: ConflictedObject, _ format: DateFormat) throws {
        let number = one.item.map { ShortID.string($0.shortID) } ?? "list"
        try Console.print("\(number) \(Console.shown(one.name))")
        for conflict in one.conflicts {
            let isKnown = conflict.stamp.timeIntervalSince1970 >= 1
            let given = isKnown ? ", \(format.ago(conflict.stamp))" : ""
            let texts = try [
                ("is", one.value(of: conflict, format)),
                ("\(conflict.owner)\(given)", one.other(conflict, format)),
            ]
            for (whose, text) in texts {
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                let lead = "  \(conflict.field) (\(Console.shown(whose))): "
                try Console.print(lead + Console.shown(String(lines.first ?? "")))
                for line in lines.dropFirst() {
                    try Console.print("    \(Console.shown(String(line)))")
                }
            }
        }
    }

    private static func values(_ one: ConflictedObject, _ format: DateFormat) -> [JSONValue] {
        one.conflicts.map { conflict in
            let texts = [
                (one.item == nil ? "list" : "title", one.name),
                ("field", conflict.field),
                ("value", (try? one.value(of: conflict, format)) ?? ""),
                ("other", one.other(conflict, format)),
                ("server", conflict.server),
                ("given", ISODate.string(conflict.stamp)),
            ]
            let number = one.item.map { JSONMember("id", .number(ShortID.string($0.shortID))) }
            let ours = JSONMember("isOurs", .bool(conflict.isOurs))
            return .object(
                [number].compactMap(\.self) + texts.map { JSONMember($0, .string($1)) } + [ours]
            )
        }
    }
}

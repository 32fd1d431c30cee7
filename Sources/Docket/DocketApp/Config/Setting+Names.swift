import DocketFormats
import Phrases
import TerminalUI

extension Setting {
    /// The row of a name; `nil` if nothing has that name.
    public static func named(_ name: String) -> Setting? {
        if name.hasPrefix("sync."), let end = name.lastIndex(of: ".") {
            return row(of: String(name[name.index(after: end)...]), in: String(name[..<end]))
        }
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first else { return nil }
        return parts.count == 1
            ? row(of: name, in: "") : row(of: String(parts[1]), in: String(first))
    }

    /// The row of a key of the file.
    static func row(of key: String, in table: String) -> Setting? {
        switch table {
        case "keys": return CommandTable.command(key).map(keys)
        case "colors": return Role.allCases.first { "\($0)" == key }.map(color)
        case "symbols": return SignName(rawValue: key).map(symbol)
        case "folders": return folder(key)
        case _ where table.hasPrefix("sync."): return sync(key, of: String(table.dropFirst(5)))
        default: return places["\(table).\(key)"].map { plain[$0] }
        }
    }

    private static let places = Dictionary(
        uniqueKeysWithValues: plain.enumerated().map { ("\($1.table).\($1.key)", $0) }
    )

    /// All rows, in the order of the file; of the folders those that are set.
    public static func all(_ settings: Settings) -> [Setting] {
        tables.flatMap { rows(of: $0, settings) }
    }

    /// The rows of a table of the file.
    static func rows(of table: String, _ settings: Settings) -> [Setting] {
        switch table {
        case "keys": CommandTable.all.map(keys)
        case "colors": Role.allCases.map(color)
        case "symbols": SignName.allCases.map(symbol)
        case "folders": settings.folders.map { folder($0.name) }
        case "sync":
            settings.syncs.flatMap { server in
                SyncSetting.keys.compactMap { sync($0, of: server.name) }
                    .filter { $0.value(settings) != nil }
            }
        default: plain.filter { $0.table == table }
        }
    }

    /// The tables of the file, in its order.
    static let tables = [
        "", "keys", "colors", "symbols", "history", "backup", "vault", "lists", "reminders",
        "folders", "sync",
    ]

    /// Why a key of the file is not a setting.
    static func problem(of key: String, in table: String) -> String {
        let name = ConfigLine.shown(key[...])
        switch table {
        case "keys": return localized("\"\(name)\" is not a command; \(commands(near: key))")
        case "colors":
            let roles = Role.allCases.map { "\($0)" }.joined(separator: ", ")
            return localized("\"\(name)\" is not a role; the roles are \(roles).")
        case "symbols":
            let names = SignName.allCases.map(\.rawValue).joined(separator: ", ")
            return localized("\"\(name)\" is not a symbol; the symbols are \(names).")
        case _ where table.hasPrefix("sync."):
            let names = SyncSetting.keys.listed(localized("and"))
            return localized("the table [\(table)] has \(names).")
        case _ where !tables.contains(table):
            let names = tables.filter { !$0.isEmpty }
                .map { $0 == "sync" ? "sync.NAME" : $0 }.listed(localized("and"))
            return localized(
                "[\(ConfigLine.shown(table[...]))] is not a table; the tables are \(names)."
            )
        default:
            let names = rows(of: table, Settings()).map(\.key).listed(localized("and"))
            return table.isEmpty
                ? localized("\"\(name)\" is not a setting; the settings are \(names).")
                : localized("the table [\(table)] has \(names).")
        }
    }

    /// The commands of the same kind as an unknown one, else the kinds.
    private static func commands(near id: String) -> String {
        func kind(_ id: String) -> String { id.split(separator: ".").first.map(String.init) ?? id }
        let ids = CommandTable.all.map(\.id)
        let same = ids.filter { kind($0) == kind(id) }
        if same.isEmpty {
            var kinds: [String] = []
            for id in ids where !kinds.contains(kind(id)) { kinds.append(kind(id)) }
            return localized(
                "commands begin with \(kinds.joined(separator: ", ")), as in item.done."
            )
        }
        return localized("those of \(kind(id)) are \(same.joined(separator: ", ")).")
    }
}

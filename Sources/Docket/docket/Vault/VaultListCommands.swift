import ArgumentParser
import CivilTime
import DocketCore
import DocketFormats
import FoundationEssentials

struct VaultListCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the credentials, or those that have every word; never a password."
    )

    @OptionGroup var access: VaultAccess
    @Argument(help: "Words of the name, user id, address, category or notes.")
    var words: [String] = []
    @Flag(help: "As JSON.") var json = false

    func perform() throws {
        try access.withVault(.reading) { vault in
            let entries = try vault.entries(matching: words.joined(separator: " "))
            if json { return try Console.write(VaultJSON.list(entries)) }
            if entries.isEmpty, Console.isTerminal {
                return Console.note(
                    words.isEmpty
                        ? "The vault is empty. docket vault add NAME adds a credential."
                        : "No credential has these words."
                )
            }
            let doubles = Dictionary(grouping: entries, by: \.name)
            var category: String?
            let hasCategories = entries.contains { !$0.category.isEmpty }
            for entry in entries {
                if hasCategories, entry.category != category {
                    category = entry.category
                    let name = entry.category.isEmpty ? "(no category)" : entry.category
                    try Console.print(Console.shown(name))
                }
                var details = [entry.userID, entry.address].filter { !$0.isEmpty }
                if entry.hasDouble(among: doubles[entry.name] ?? []) {
                    details.append(entry.reference)
                }
                let lead = hasCategories ? "  " : ""
                try Console.print(
                    lead + ([entry.name] + details).map(Console.shown).joined(separator: "  ")
                )
            }
        }
    }
}

struct VaultShowCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the fields of a credential; its password only with --password."
    )

    @OptionGroup var access: VaultAccess
    @Argument(help: "Its name, or words that only it has.") var name: [String]
    @Flag(help: "Show the password too.") var password = false
    @Flag(help: "As JSON.") var json = false

    func perform() throws {
        try access.withVault(.reading) { vault in
            let entry = try vault.entry(named: name.joined(separator: " "))
            let record = try vault.record(entry.id)
            if json {
                let secret = password ? record.password : ""
                return try Console.print(VaultJSON.value(entry, password: secret))
            }
            for field in CredentialField.allCases where !record[field].isEmpty {
                let isHidden = field == .password && !password
                let label = field.title.padding(to: 10)
                let lines = isHidden ? ["(hidden)"] : record[field].lines
                for (place, line) in lines.enumerated() {
                    let lead = place == 0 ? label : String(repeating: " ", count: 10)
                    try Console.print(lead + Console.shown(line))
                }
            }
        }
    }
}

/// The JSON of credentials: one object for each, without a password unless it is asked for.
enum VaultJSON {
    static func list(_ entries: [VaultEntry]) -> [UInt8] {
        var bytes = Array("[".utf8)
        for (place, entry) in entries.enumerated() {
            bytes += Array((place == 0 ? "\n" : ",\n").utf8)
            JSONText.append(value(entry), to: &bytes)
        }
        return bytes + Array((entries.isEmpty ? "]\n" : "\n]\n").utf8)
    }

    static func value(_ entry: VaultEntry, password: String = "") -> JSONValue {
        let texts = [
            ("id", entry.reference), ("name", entry.name), ("user", entry.userID),
            ("address", entry.address), ("category", entry.category), ("notes", entry.notes),
            ("password", password), ("modified", entry.modified.map { ISODate.string($0) } ?? ""),
        ]
        return .object(texts.filter { !$0.1.isEmpty }.map { JSONMember($0, .string($1)) })
    }
}

extension String {
    fileprivate var lines: [String] {
        split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    }
}

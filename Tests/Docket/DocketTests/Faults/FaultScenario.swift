import Foundation
import Testing
import VirtualTerminal

/// A command during which something fails, on a store that is made for it.
struct FaultScenario: CustomTestStringConvertible, Sendable {
    let name: String
    /// Makes what the command finds in the folder of the store.
    let prepare: @Sendable (Docket) throws -> Void
    let command: @Sendable (Docket) -> [String]
    /// What there is, in a text that is the same for equal contents.
    var state: @Sendable (Docket) throws -> String = { try $0.libraryState() }
    /// Whether a state between the one before and the one after is right too.
    var isPart: @Sendable (String) -> Bool = { _ in false }
    /// Another program than `docket`.
    var program: String?

    var testDescription: String { name }
}

extension Docket {
    /// The folder of the store; what the tests themselves need is beside it.
    var data: URL { folder.appending(path: "data") }

    /// A program whose store is in a folder of its own.
    static func withData() throws -> Docket {
        let docket = try Docket()
        try FileManager.default.createDirectory(
            at: docket.data,
            withIntermediateDirectories: true
        )
        docket.environment["DOCKET_STORE"] = docket.path("data/docket.sqlite")
        return docket
    }

    /// Items and history without times and identities.
    func libraryState() throws -> String {
        let outcome = try self("list", "--all", "--json")
        guard outcome.code == 0 else { return "unreadable: \(outcome.errors)" }
        let keys = ["id", "kind", "title", "notes", "list", "tags", "priority", "trashed"]
        let items = try JSONSerialization.jsonObject(with: outcome.bytes) as? [[String: Any]] ?? []
        let lines = items.map { item in
            keys.map { "\(item[$0] ?? "")" }.joined(separator: "|")
                + (item["completed"] is String ? "|done" : "")
        }
        let history = try self("history")
        guard history.code == 0 || history.code == 3 else {
            return "unreadable: \(history.errors)"
        }
        let steps = history.output.replacing(#/just now|[0-9]+ [a-z]+ ago/#, with: "then")
        return lines.joined(separator: "\n") + "\n--\n" + steps
    }

    /// The entries of the vault, and which of two passphrases opens it.
    func vaultState() throws -> String {
        for name in ["new", "pw"] {
            let list = try self("vault", "list", "--json", "--passphrase-file", path(name))
            if list.code != 0 { continue }
            let entries =
                try JSONSerialization.jsonObject(with: list.bytes) as? [[String: Any]] ?? []
            let names = entries.compactMap { $0["name"] as? String }.sorted()
            var shown = names
            for entry in names {
                shown.append(
                    try self(
                        "vault",
                        "show",
                        entry,
                        "--password",
                        "--passphrase-file",
                        path(name)
                    ).output
                )
            }
            return "\(name): \(shown)"
        }
        return FileManager.default.fileExists(atPath: path("data/docket-vault.sqlite"))
            ? "locked for ever" : "no vault"
    }
}

extension FaultScenario {
    /// Three items, one of them done, with tags and a list.
    @Sendable private static func someItems(_ docket: Docket) throws {
        for line in ["one +Home #red", "two #green !high", "three"] {
            #expect(try docket.run(["add", line]).code == 0)
        }
        #expect(try docket("done", "2").code == 0)
    }

    @Sendable private static func vault(_ docket: Docket) throws {
        try docket.write("new words\n", to: "new")
        try docket.write("secret\n", to: "secret")
        try docket("add", "one")
        try docket.makeVault()
        let secret = docket.path("secret")
        let added = try docket.vault("add", "Bank", "--user", "ana", "--password-file", secret)
        #expect(added.code == 0, "\(added.errors)")
    }

    static let library: [FaultScenario] = [
        FaultScenario(
            name: "first item",
            prepare: { _ in },
            command: { _ in ["add", "one +Home #red"] }
        ),
        FaultScenario(
            name: "edit",
            prepare: someItems,
            command: { _ in ["edit", "1", "title=after", "tags=blue", "list=Work"] }
        ),
        FaultScenario(name: "undo", prepare: someItems, command: { _ in ["undo"] }),
        FaultScenario(
            name: "import",
            prepare: { docket in
                try someItems(docket)
                let lines = (0..<30).map { "(A) item \($0) +List\($0 % 3) @tag\($0 % 5)" }
                try docket.write(lines.joined(separator: "\n"), to: "data/todo.txt")
            },
            command: { ["import", "--format", "todotxt", $0.path("data/todo.txt")] }
        ),
        FaultScenario(
            name: "import in parts",
            prepare: { docket in
                try someItems(docket)
                let items = (0..<20).map { place in
                    let uuid = String(format: "00000000-0000-4000-8000-%012x", place)
                    let other = String(format: "00000000-0000-4000-8000-%012x", (place + 7) % 20)
                    return "{\"uuid\":\"\(uuid)\",\"description\":\"item \(place)\","
                        + "\"status\":\"pending\",\"entry\":\"20260101T000000Z\","
                        + "\"depends\":[\"\(other)\"]}"
                }
                try docket.write("[" + items.joined(separator: ",\n") + "]\n", to: "data/in.json")
            },
            command: {
                ["import", "--format", "taskwarrior", "--every", "5", $0.path("data/in.json")]
            },
            isPart: { state in
                let count = state.matches(of: #/\|item [0-9]+\|/#).count
                return count > 0 && count % 5 == 0
            }
        ),
        FaultScenario(
            name: "upgrade",
            prepare: { docket in
                let old = URL(filePath: #filePath).deletingLastPathComponent()
                    .appending(path: "../../OldLibraries/version-1.sqlite").standardizedFileURL
                try FileManager.default.copyItem(
                    at: old,
                    to: docket.data.appending(path: "docket.sqlite")
                )
            },
            command: { _ in ["add", "after the upgrade"] }
        ),
        FaultScenario(
            name: "restore",
            prepare: { docket in
                try someItems(docket)
                #expect(try docket("backup").code == 0)
                #expect(try docket("add", "later").code == 0)
            },
            command: { _ in ["restore", "--backup", "latest"] }
        ),
        FaultScenario(
            name: "backup",
            prepare: someItems,
            command: { _ in ["backup"] },
            state: { docket in
                let listed = try docket("backup", "--list").lines
                // A backup that is listed can be read.
                for line in listed {
                    guard let path = line.split(separator: " ").last, path.hasPrefix("/") else {
                        continue
                    }
                    let own = try docket("--store", String(path), "list", "--all", "--json")
                    if own.code != 0 { return "unreadable backup: \(own.errors)" }
                }
                return "\(listed.count { !$0.contains("no backups") })\n"
                    + (try docket.libraryState())
            }
        ),
        FaultScenario(
            name: "trim",
            prepare: someItems,
            command: { _ in ["history", "--trim", "--steps", "2"] }
        ),
    ]

    private static func passphrase(_ name: String, _ options: String...) -> FaultScenario {
        FaultScenario(
            name: name,
            prepare: vault,
            command: {
                ["vault", "passphrase"] + options + [
                    "--passphrase-file", $0.path("pw"), "--new-passphrase-file", $0.path("new"),
                ]
            },
            state: { try $0.vaultState() }
        )
    }

    static let vaults: [FaultScenario] = [
        FaultScenario(
            name: "vault init",
            prepare: { docket in
                try docket.write("old words\n", to: "pw")
                try docket.write("new words\n", to: "new")
                try docket("add", "one")
            },
            command: { ["vault", "init", "--passphrase-file", $0.path("pw")] },
            state: { try $0.vaultState() }
        ),
        FaultScenario(
            name: "vault add",
            prepare: vault,
            command: {
                [
                    "vault", "add", "Mail", "--password-file", $0.path("secret"),
                    "--passphrase-file", $0.path("pw"),
                ]
            },
            state: { try $0.vaultState() }
        ),
        FaultScenario(
            name: "vault import",
            prepare: { docket in
                try vault(docket)
                try docket.write(
                    "name,username,password,folder\nOne,u,p,Web\nTwo,u,p,Web\nBank,ana,,\n",
                    to: "data/in.csv"
                )
            },
            command: {
                ["vault", "import", $0.path("data/in.csv"), "--passphrase-file", $0.path("pw")]
            },
            state: { try $0.vaultState() }
        ),
        passphrase("vault passphrase"),
        passphrase("vault passphrase with a new key", "--new-key"),
    ]

    /// A program opens the file of its first version with the second one, and draws some more.
    static let migrations: [FaultScenario] = ["xml", "binary", "text"].map { form in
        let program = VirtualTerminal.product("examples")
        @Sendable func arguments(_ docket: Docket) -> [String] {
            ["shapes", "--store", form, "--file", docket.path("data/kept")]
        }
        @Sendable func state(_ docket: Docket) throws -> String {
            let outcome = try docket("inspect", docket.path("data/kept"), "--json")
            guard outcome.code == 0,
                let overview = try JSONSerialization.jsonObject(with: outcome.bytes)
                    as? [String: Any],
                let entities = overview["entities"] as? [[String: Any]]
            else { return "unreadable: \(outcome.errors)" }
            return entities.map { "\($0["name"] ?? "") \($0["rows"] ?? "")" }.sorted()
                .joined(separator: ", ")
        }
        return FaultScenario(
            name: "migration of a \(form) file",
            prepare: { docket in
                // A new file is one of the first version at first. Of a store in one file only the
                // migration asks SQLite for memory, so without any it ends before that.
                let report = try FaultReport(docket.path("first"))
                let made = try docket.run(
                    arguments(docket),
                    program: program,
                    failing: 1,
                    .noMemory,
                    report
                )
                #expect(made.code != 0)
                #expect(try state(docket).contains("Circle 1,"))
            },
            command: arguments,
            state: state,
            // The second version before the program has drawn.
            isPart: { $0.contains("Ellipse 1,") },
            program: program
        )
    }

    static let wholeFiles: [FaultScenario] = ["xml", "binary", "text", "own"].map { form in
        let program = VirtualTerminal.product("examples")
        @Sendable func arguments(_ docket: Docket) -> [String] {
            ["events", "--store", form, "--file", docket.path("data/kept")]
        }
        return FaultScenario(
            name: "\(form) file",
            prepare: { docket in
                let made = try docket.start(program, arguments(docket), "made")
                #expect(try docket.outcome(of: made, "made").code == 0)
            },
            command: arguments,
            state: { docket in
                // Another run tells what it finds; it works on a copy.
                let copy = docket.folder.appending(path: "copy")
                try? FileManager.default.removeItem(at: copy)
                try FileManager.default.copyItem(at: docket.data, to: copy)
                var words = arguments(docket)
                words[4] = docket.path("copy/kept")
                let reader = try docket.start(program, words, "reader")
                let told = try docket.outcome(of: reader, "reader")
                return told.code == 0 ? told.output : "unreadable: \(told.errors)"
            },
            program: program
        )
    }
}

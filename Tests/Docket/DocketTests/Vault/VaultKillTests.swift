import ChildProcess
import Foundation
import Glibc
import SeededRandom
import Testing
import VirtualTerminal

/// `kill -9` of the interface while it adds, edits and removes credentials and changes the passphrase,
/// and another process imports and adds others.
///
/// `DOCKET_KILLS` says how many times.
@Suite("The vault in an interface that is killed", .serialized)
final class VaultKillTests {
    private static let kills =
        ProcessInfo.processInfo.environment["DOCKET_KILLS"].flatMap { Int($0) } ?? 3

    /// Three credentials by import, and one more; the log has what was acknowledged.
    private static let imports = """
        i=$2
        while :; do
            echo 'name,username,password' > batch.csv
            for n in 1 2 3; do echo "b$i-$n,u,p" >> batch.csv; done
            "$docket" vault import batch.csv --passphrase-file pw > part 2>&1 || exit 1
            for n in 1 2 3; do echo "b$i-$n" >> log; done
            "$docket" vault add "w$i" --generate --passphrase-file pw > part 2>&1 || exit 1
            echo "w$i" >> log
            i=$((i + 1))
        done
        """

    /// Changes the folder, not the vault: its passphrase changes meanwhile.
    private static let tasks = """
        while :; do "$docket" add "task $2" > part 2>&1 || exit 1; done
        """

    private let docket: Docket
    private var random: SeededRandom
    private let seed = UInt64.random(in: 0..<1_000_000)
    /// What the interface has shown as saved; a password by name.
    private var saved: [String: String] = [:]
    /// What a kill has left open: it is there or not.
    private var open: Set<String> = []
    private var passphrases = [Docket.passphrase]
    private var serial = 0
    private var acknowledged = 0
    private var canaries: [String] = []
    private var leaked = 0

    init() throws {
        docket = try Docket()
        random = SeededRandom(seed: seed)
    }

    @Test func whatWasShownAsSavedIsThereAndNoSecretIsPlain() throws {
        var tally = FaultTally("kills of the interface with the vault, seed \(seed)")
        try docket("add", "first")
        try docket.makeVault()
        try docket.write("", to: "log")
        for kill in 0..<Self.kills {
            let place = "seed \(seed), kill \(kill)"
            let changesPassphrase = kill % 3 == 2
            let script = changesPassphrase ? Self.tasks : Self.imports
            let worker = try docket.start(
                "/bin/sh",
                ["-c", script, "sh", "worker", "\(kill * 1000)"],
                "worker"
            )
            try work(changesPassphrase, worker)
            tally.tried(changesPassphrase ? "passphrase" : "credentials")
            let end = worker.killGroup()
            let said = String(decoding: try docket.read("part"), as: UTF8.self)
            #expect(end == .signal(SIGKILL), "\(place): \(said)")
            try check(place, &tally)
        }
        print("acknowledged \(acknowledged), secrets in files and terminals \(leaked)")
        tally.report()
    }

    // MARK: The interface

    private func work(_ changesPassphrase: Bool, _ worker: ChildProcess) throws {
        let terminal = try docket.terminal(rows: 50, columns: 120)
        try terminal.wait(forText: "first")
        try terminal.type("gv")
        try terminal.wait(forText: "Unlock the vault")
        try terminal.type(passphrases[0] + "\r")
        try terminal.wait(forText: "credential")
        var last: String?
        for _ in 0..<random.below(5) { try change(&last, terminal) }
        let count = 1 + random.below(25)
        let changes = try FolderChanges(docket.folder.path)
        func end() throws {
            try changes.wait(for: count, orEndOf: worker)
            terminal.signal(SIGKILL)
        }
        if changesPassphrase {
            try changePassphrase(terminal, end)
        } else {
            try change(&last, terminal, end)
        }
        #expect(try terminal.waitForEnd() == -Int(SIGKILL))
        leaked += canaries.count { terminal.output.contains(text: $0) }
    }

    /// Adds, edits or removes; `end` comes after the key that saves.
    private func change(
        _ last: inout String?,
        _ terminal: VirtualTerminal,
        _ end: (() throws -> Void)? = nil
    ) throws {
        let choice = random.below(3)
        if let name = last, choice > 0 {
            let password = saved.removeValue(forKey: name) ?? ""
            if choice == 1 {
                try terminal.type("e\u{1B}[Fx\u{13}")
                last = name + "x"
            } else {
                try terminal.type("d")
                last = nil
            }
            if let end {
                try end()
                open.formUnion([name, name + "x"])
                return
            }
            if let last {
                try terminal.wait(for: "the edited name") {
                    terminal.screen.contains { $0.contains(last) }
                        && !terminal.screen.contains { $0.contains("Edit credential") }
                }
                saved[last] = password
            } else {
                try terminal.wait(for: "the removal") {
                    terminal.screen.contains { $0.contains("Removed \"\(name)\"") }
                        || !terminal.screen.contains { $0.contains(name) }
                }
            }
        } else {
            serial += 1
            let (name, password) = ("e\(serial)y", "Canary\(random.next())")
            canaries.append(password)
            try terminal.type("a")
            try terminal.wait(forText: "Add credential")
            try terminal.type(name + "\tuser\t" + password + "\u{13}")
            if let end {
                try end()
                open.insert(name)
                return
            }
            try terminal.wait(for: "the added name") {
                terminal.screen.contains { $0.contains(name) }
                    && !terminal.screen.contains { $0.contains("Add credential") }
            }
            saved[name] = password
            last = name
        }
        acknowledged += 1
    }

    private func changePassphrase(
        _ terminal: VirtualTerminal,
        _ end: () throws -> Void
    ) throws {
        serial += 1
        let new = "new words \(serial)"
        try terminal.type(":change the passphrase\r")
        try terminal.wait(forText: "Present passphrase")
        try terminal.type(passphrases[0] + "\r")
        try terminal.wait(forText: "New passphrase")
        try terminal.type(new + "\r")
        try terminal.wait(forText: "The same again")
        try terminal.type(new + "\r")
        try end()
        passphrases = [passphrases[0], new]
    }

    // MARK: Checking

    private func check(_ place: String, _ tally: inout FaultTally) throws {
        var list: Docket.Outcome?
        for passphrase in passphrases where list?.code != 0 {
            unlink(docket.path("docket-vault.sqlite.unlock"))
            try docket.write(passphrase + "\n", to: "pw")
            list = try docket.vault("list", "--json")
            if list?.code == 0 { passphrases = [passphrase] }
        }
        let entries =
            try JSONSerialization.jsonObject(with: list?.bytes ?? Data()) as? [[String: Any]] ?? []
        let names = entries.compactMap { $0["name"] as? String }
        func fail(_ what: String) {
            tally.loses()
            Issue.record("\(place): \(what)")
        }
        if list?.code != 0 { fail("no passphrase opens the vault: \(list?.errors ?? "")") }
        // The log's last line may be cut off.
        let log = String(decoding: try docket.read("log"), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        for name in log where !names.contains(String(name)) {
            fail("\(name) of the worker is lost")
        }
        for name in saved.keys where !names.contains(name) { fail("\(name) is lost") }
        if Set(names).count != names.count { fail("a credential is there twice") }
        let batches = Dictionary(grouping: names.filter { $0.hasPrefix("b") }) {
            $0.prefix { $0 != "-" }
        }
        for (name, found) in batches where found.count != 3 { fail("\(name) is there by half") }
        for name in names where name.hasPrefix("e") && saved[name] == nil && !open.contains(name) {
            fail("\(name) was removed, and is there")
        }
        if let name = saved.keys.sorted().last {
            let shown = try docket.vault("show", name, "--password", "--json").output
            if !shown.contains(saved[name] ?? "") { fail("\(name) has another password") }
        }
        for name in ["docket.sqlite", "docket-vault.sqlite"] {
            #expect(try docket.integrity(docket.path(name)) == "ok", "\(place)")
        }
        let plain = try docket.files(withAny: canaries)
        leaked += plain.count
        #expect(plain == [], "\(place)")
    }
}

extension [UInt8] {
    fileprivate func contains(text: String) -> Bool { Data(self).range(of: Data(text.utf8)) != nil }
}

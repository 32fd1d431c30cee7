import ChildProcess
import Foundation
import Glibc
import SeededRandom
import Testing

/// `kill -9` at random changes of the folder, while five processes do different work on one library:
/// commands, imports in parts, upgrades of old libraries, and changes of the vault's passphrase.
///
/// `DOCKET_KILLS` says how many times.
@Suite("Killed while others do other work", .serialized)
struct MixedKillTests {
    private static let kills =
        ProcessInfo.processInfo.environment["DOCKET_KILLS"].flatMap { Int($0) } ?? 3

    /// Each writes into its log what was acknowledged, after the command has ended.
    private static let scripts: [(name: String, text: String)] = [
        ("a", ShellScripts.edits), ("b", ShellScripts.edits), ("import", imports),
        ("upgrade", upgrades),
        ("vault", passphrases),
    ]

    /// Forty items in parts of ten.
    private static let imports = """
        i=$2
        while :; do
            n=0
            while [ $n -lt 40 ]; do echo "import-$i part $n"; n=$((n + 1)); done > import.txt
            "$docket" import --format todotxt --every 10 import.txt > part-import || exit 1
            echo "import-$i" >> log-import || exit 1
            i=$((i + 1))
        done
        """

    /// A library of version 1, which the first command upgrades.
    private static let upgrades = """
        i=$2
        while :; do
            cp old.sqlite "old-$i.part" && mv "old-$i.part" "old-$i.sqlite" || exit 1
            "$docket" --store "old-$i.sqlite" add "new in $i" > part-upgrade 2> why || exit 1
            echo "$i" >> log-upgrade || exit 1
            i=$((i + 1))
        done
        """

    /// An entry, then another passphrase: `pw` is the acknowledged one, `next` the one that is tried.
    private static let passphrases = """
        i=$2
        while :; do
            "$docket" vault add "entry-$i" --generate --passphrase-file pw > part-vault || exit 1
            echo "entry-$i" >> log-vault || exit 1
            echo "words $i" > next || exit 1
            "$docket" vault passphrase --passphrase-file pw --new-passphrase-file next \
                > part-vault || exit 1
            mv next pw || exit 1
            i=$((i + 1))
        done
        """

    private let docket: Docket
    private let seed = UInt64.random(in: 0..<1_000_000)

    init() throws { docket = try Docket() }

    private func start(_ index: Int, _ serial: Int) throws -> ChildProcess {
        let (name, text) = Self.scripts[index]
        return try docket.start("/bin/sh", ["-c", text, "sh", name, "\(serial * 1000)"], name)
    }

    @Test func whateverWasAcknowledgedIsThereAndNothingIsHalfDone() throws {
        print("mixed work: seed \(seed), \(Self.kills) kills")
        var random = SeededRandom(seed: seed)
        var tally = FaultTally("kills of mixed work, seed \(seed)")
        let old = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../OldLibraries/version-1.sqlite").standardizedFileURL
        try FileManager.default.copyItem(
            at: old,
            to: docket.folder.appending(path: "old.sqlite")
        )
        try docket("add", "first")
        try docket.makeVault()
        for (name, _) in Self.scripts { try docket.write("", to: "log-\(name)") }
        var serial = Self.scripts.count
        var running = try Self.scripts.indices.map { try start($0, $0 + 1) }
        for kill in 0..<Self.kills {
            let index = random.below(Self.scripts.count)
            let name = Self.scripts[index].name
            let change = 1 + random.below(200)
            let place = "seed \(seed), kill \(kill) of \(name), change \(change)"
            try FolderChanges(docket.folder.path).wait(for: change, orEndOf: running[index])
            let end = running[index].killGroup()
            let errors = String(decoding: try docket.read("\(name).err"), as: UTF8.self)
            let refusals = ["was replaced meanwhile", "Another program is writing"]
            if end != .signal(SIGKILL), refusals.contains(where: errors.contains) {
                // Others kept it for many seconds: that is refused with a sentence, and no loss.
                tally.tried("\(name) refused")
                print("\(place): refused: \(errors)\(try holders())")
            } else {
                #expect(end == .signal(SIGKILL), "\(place): \(errors)")
                tally.tried(name)
            }
            if name == "vault" { try settleVault(place, &tally) }
            if name == "upgrade" { try checkUpgrades(place, &tally) }
            serial += 1
            running[index] = try start(index, serial)
        }
        for process in running { process.killGroup() }
        try settleVault("seed \(seed), at the end", &tally)
        try checkUpgrades("seed \(seed), at the end", &tally)
        try checkItems(&tally)
        let doctor = try docket("doctor")
        #expect(doctor.code == 0, "seed \(seed): \(doctor.output) \(doctor.errors)")
        #expect(try docket.integrity() == "ok", "seed \(seed)")
        tally.report()
    }

    /// The files of the vault, and who has them open.
    private func holders() throws -> String {
        try docket.shell(
            """
            ls -la --full-time . | grep vault
            ls -l /proc/[0-9]*/fd 2> /dev/null | grep docket-vault
            """
        ).output
    }

    private func log(_ name: String) throws -> [Substring] {
        // A last line without its end was cut off by the kill.
        String(decoding: try docket.read("log-\(name)"), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }

    /// The old passphrase opens the vault, or the new one; all acknowledged entries are there.
    private func settleVault(_ place: String, _ tally: inout FaultTally) throws {
        // A command of another process may hold the lock for a moment; the vault has one writer.
        var found: Docket.Outcome?
        for name in ["pw", "next"] where found?.code != 0 {
            guard FileManager.default.fileExists(atPath: docket.path(name)) else { continue }
            unlink(docket.path("docket-vault.sqlite.unlock"))
            found = try docket("vault", "list", "--passphrase-file", docket.path(name))
            if name == "next", found?.code == 0 {
                rename(docket.path("next"), docket.path("pw"))
            }
        }
        let list = found?.output ?? ""
        if found?.code != 0 {
            tally.loses()
            Issue.record("\(place): neither passphrase opens the vault: \(found?.errors ?? "")")
        }
        let entries = Set(list.split { $0.isWhitespace })
        for entry in try log("vault") where !entries.contains(entry) {
            tally.loses()
            Issue.record("\(place): \(entry) is not in the vault")
        }
        #expect(try docket.integrity(docket.path("docket-vault.sqlite")) == "ok", "\(place)")
    }

    /// Every library was upgraded, or is when it is opened now; it has all its items.
    private func checkUpgrades(_ place: String, _ tally: inout FaultTally) throws {
        let acknowledged = Set(try log("upgrade").map(String.init))
        for name in try FileManager.default.contentsOfDirectory(atPath: docket.folder.path)
        where name.hasPrefix("old-") && name.hasSuffix(".sqlite") {
            let number = String(name.dropFirst(4).dropLast(7))
            let items = try docket.items(["--store", docket.path(name), "list", "--all", "--json"])
            let new = items.count { $0["title"] as? String == "new in \(number)" }
            let isThere = new == 1 || (new == 0 && !acknowledged.contains(number))
            if !isThere || items.count - new != 9 {
                tally.loses()
                Issue.record("\(place): \(name) has \(items.count) items, \(new) of them new")
            }
            let doctor = try docket("--store", docket.path(name), "doctor")
            #expect(doctor.code == 0, "\(place): \(doctor.output) \(doctor.errors)")
            // It was looked at.
            for suffix in ["", "-backups", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: docket.path(name) + suffix)
            }
        }
        try docket.write("", to: "log-upgrade")
    }

    private func checkItems(_ tally: inout FaultTally) throws {
        var titles: [Int: String] = [:]
        var done: Set<Int> = []
        var imported: [Substring: Int] = [:]
        for item in try docket.items() {
            let (id, title) = (item["id"] as? Int ?? 0, item["title"] as? String ?? "")
            titles[id] = title
            if item["completed"] is String { done.insert(id) }
            if title.hasPrefix("import-") { imported[title.prefix { $0 != " " }, default: 0] += 1 }
        }
        for name in ["a", "b"] {
            for line in try log(name) {
                let words = line.split(separator: " ")
                let id = Int(words[words[0] == "done" || words[0] == "edited" ? 1 : 0]) ?? 0
                let title = titles[id] ?? ""
                let isThere =
                    switch words[0] {
                    case "done": done.contains(id)
                    case "edited": title.hasSuffix(" edited")
                    default: title.hasPrefix(words[1])
                    }
                if isThere { continue }
                tally.loses()
                Issue.record("seed \(seed): \(line), but \(title)")
            }
        }
        for name in try log("import") where imported[name] != 40 {
            tally.loses()
            Issue.record("seed \(seed): \(imported[name] ?? 0) items of \(name)")
        }
        for (name, count) in imported where count % 10 != 0 || count > 40 {
            tally.loses()
            Issue.record("seed \(seed): \(count) items of \(name), not in parts of ten")
        }
    }
}

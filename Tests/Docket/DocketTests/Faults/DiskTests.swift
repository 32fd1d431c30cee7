import Foundation
import Glibc
import SeededRandom
import Testing

/// A disk that is full or read-only, and a store that is removed or replaced between commands.
///
/// The disk is a small file system in memory, mounted where only the script sees it.
@Suite("Faults of the disk", .serialized)
struct DiskTests {
    static let mayMount: Bool = {
        let process = try? Docket().shell("unshare -m mount -t tmpfs -o size=64k tmpfs /mnt")
        let mayMount = process?.code == 0
        if !mayMount {
            print("a full disk and a read-only one: skipped, mounting is not permitted")
        }
        return mayMount
    }()

    /// Runs a script on a disk of its own, mounted at `data`.
    private func onDisk(_ size: String, _ docket: Docket, _ script: String) throws -> Docket.Outcome
    {
        try docket.write(
            "set -u; mount -t tmpfs -o size=\(size) tmpfs data || exit 99\n\(script)",
            to: "script"
        )
        return try docket.shell("timeout -s KILL 300 unshare -m sh script")
    }

    /// Makes a vault that the script copies to its disk.
    private func putVault(_ docket: Docket) throws {
        try docket.makeVault()
        try FileManager.default.moveItem(
            atPath: docket.path("data/docket-vault.sqlite"),
            toPath: docket.path("vault")
        )
    }

    @Test(.enabled(if: mayMount, "mounting is not permitted"))
    func aFullDiskLosesNothingThatWasAcknowledged() throws {
        let docket = try Docket.withData()
        try docket.write("old words\n", to: "pw")
        try docket.write("new words\n", to: "new")
        let text = String(repeating: "long text ", count: 200)
        let outcome = try onDisk(
            "900k",
            docket,
            """
            dd if=/dev/zero of=data/ballast bs=1k count=150 2> /dev/null
            "$docket" add first > /dev/null || echo "FAILED add"
            "$docket" vault init --passphrase-file pw > /dev/null || echo "FAILED init"
            "$docket" vault add Bank --generate --passphrase-file pw > /dev/null || echo "FAILED vault"
            i=1
            while "$docket" add --note "item $i \(text)" > /dev/null 2> why; do
                i=$((i + 1))
                [ $i -gt 2000 ] && break
            done
            echo "acknowledged $i"
            echo "code $?"
            cat why
            dd if=/dev/zero of=data/rest bs=1k 2> /dev/null
            echo "items $("$docket" list --all --json | grep -c '"id"')"
            "$docket" vault passphrase --passphrase-file pw --new-passphrase-file new 2> why
            echo "passphrase $?"; cat why
            "$docket" backup > /dev/null 2> why
            echo "backup $?"; cat why
            ls data
            rm data/ballast data/rest
            "$docket" add last > /dev/null || echo "FAILED add after"
            "$docket" undo > /dev/null || echo "FAILED undo after"
            echo "items $("$docket" list --all --json | grep -c '"id"')"
            "$docket" vault list --passphrase-file pw || "$docket" vault list --passphrase-file new
            "$docket" doctor
            echo "doctor $?"
            ls data
            """
        )
        let lines = outcome.lines
        #expect(outcome.code == 0 && !outcome.output.contains("FAILED"), "\(outcome)")
        let counts = lines.compactMap { line in
            line.hasPrefix("acknowledged") || line.hasPrefix("items")
                ? Int(line.split(separator: " ")[1]) : nil
        }
        var tally = FaultTally("full disk")
        for _ in 0..<(counts.first ?? 0) { tally.tried("added") }
        if counts.count != 3 || Set(counts).count != 1 { tally.loses() }
        #expect(counts.count == 3 && Set(counts).count == 1, "\(outcome.output)")
        #expect(counts.first ?? 0 > 10)
        #expect(outcome.output.contains("is full") || outcome.output.contains("disk"), "\(lines)")
        #expect(lines.count { $0.contains("Bank") } == 1, "\(outcome)")
        #expect(lines.contains("doctor 0"), "\(outcome)")
        #expect(!outcome.output.contains(".part-") && !outcome.output.contains(".new"), "\(lines)")
        tally.report()
    }

    @Test(.enabled(if: mayMount, "mounting is not permitted"))
    func theStoreIsReadAndCheckedHoweverLittleRoomTheDiskHas() throws {
        let docket = try Docket.withData()
        let outcome = try onDisk(
            "2m",
            docket,
            """
            "$docket" add one > /dev/null
            for room in 0 4 16 28 32 36 60; do
                dd if=/dev/zero of=data/rest bs=4k 2> /dev/null
                [ $room -gt 0 ] && truncate -s -${room}k data/rest
                "$docket" list > list 2>&1 || echo "NOT READ with $room KB"
                [ "$(cat list)" = "1 ○ one" ] || { echo "NOT LISTED with $room KB"; cat list; }
                "$docket" doctor > found 2>&1 || { echo "NOT CHECKED with $room KB"; cat found; }
                if [ $room -lt 32 ]; then
                    "$docket" add two > why 2>&1 && echo "NOT REFUSED with $room KB"
                    grep -q "is full" why || { echo "NOT SAID with $room KB"; cat why; }
                fi
                rm data/rest
            done
            "$docket" add last > /dev/null
            "$docket" list | tail -n 1
            """
        )
        #expect(!outcome.output.contains("NOT"), "\(outcome)")
        #expect(outcome.lines.last == "2 ○ last", "\(outcome)")
    }

    @Test(.enabled(if: mayMount, "mounting is not permitted"))
    func theVaultIsReadHoweverLittleRoomTheDiskHas() throws {
        let docket = try Docket.withData()
        try putVault(docket)
        let outcome = try onDisk(
            "2m",
            docket,
            """
            "$docket" add one > /dev/null
            cp -p vault data/docket-vault.sqlite
            "$docket" vault add Bank --generate --passphrase-file pw > /dev/null
            ls data > before
            for room in 0 4 28 32 36 60 64 68 96; do
                dd if=/dev/zero of=data/rest bs=4k 2> /dev/null
                [ $room -gt 0 ] && truncate -s -${room}k data/rest
                "$docket" vault list --passphrase-file pw > list || echo "NOT READ with $room KB"
                grep -q Bank list || echo "NOTHING with $room KB"
                rm data/rest
            done
            dd if=/dev/zero of=data/rest bs=4k 2> /dev/null
            "$docket" vault add Mail --generate --passphrase-file pw > /dev/null 2> why
            echo "add $?"; cat why
            rm data/rest
            ls data > after; cmp before after
            "$docket" vault add Mail --generate --passphrase-file pw > /dev/null
            "$docket" vault list --passphrase-file pw | grep -c -e Bank -e Mail
            """
        )
        #expect(outcome.code == 0, "\(outcome)")
        #expect(!outcome.output.contains("NOT"), "\(outcome)")
        #expect(outcome.lines.contains("add 2"), "\(outcome)")
        #expect(!outcome.output.contains("for reading only"), "\(outcome)")
        #expect(outcome.lines.last == "2", "\(outcome)")
    }

    @Test(.enabled(if: mayMount, "mounting is not permitted"))
    func aReadOnlyDiskIsReadAndEveryChangeIsRefused() throws {
        let docket = try Docket.withData()
        try putVault(docket)
        try docket.write("new words\n", to: "new")
        try docket.write("x imported\n", to: "in.txt")
        let changes = [
            "add two", "edit 1 title=two", "done 1", "undo", "import --format todotxt in.txt",
            "vault add Mail --generate --passphrase-file pw",
            "vault passphrase --passphrase-file pw --new-passphrase-file new", "backup",
            "doctor --repair",
        ]
        let outcome = try onDisk(
            "2m",
            docket,
            """
            "$docket" add one > /dev/null
            cp -p vault data/docket-vault.sqlite
            "$docket" vault add Bank --generate --passphrase-file pw > /dev/null
            mount -o remount,ro data || exit 98
            "$docket" list; "$docket" list --all --json > /dev/null; echo "list $?"
            "$docket" history > /dev/null; echo "history $?"
            "$docket" vault list --passphrase-file pw; echo "vault $?"
            "$docket" export > /dev/null; echo "export $?"
            """
                + "\n"
                + changes.map { "\"$docket\" \($0) 2> why; echo \"change $?\"; cat why" }
                .joined(separator: "\n") + "\n"
                    + """
                    mount -o remount,rw data || exit 97
                    "$docket" doctor; echo "doctor $?"
                    echo "items $("$docket" list --all --json | grep -c '"id"')"
                    "$docket" add two
                    """
        )
        let lines = outcome.lines
        #expect(outcome.code == 0, "\(outcome)")
        for word in ["list 0", "history 0", "vault 0", "export 0", "doctor 0", "items 1", "2 two"] {
            #expect(lines.contains(word), "\(word): \(outcome.output) \(outcome.errors)")
        }
        var tally = FaultTally("read-only disk")
        let codes = lines.filter { $0.hasPrefix("change ") }
        for code in codes { tally.tried(code) }
        #expect(codes.count == changes.count)
        // A doctor without anything to repair needs no change.
        #expect(codes.dropLast().allSatisfy { $0 == "change 1" || $0 == "change 2" }, "\(outcome)")
        tally.report()
    }

    /// What is left of a command that was killed, with a log beside the store.
    private func killedCommand(_ docket: Docket) throws {
        let report = try FaultReport(docket.path("report"))
        let template = docket.folder.appending(path: "template")
        try FileManager.default.copyItem(at: docket.data, to: template)
        let whole = try docket.run(["add", "killed"], failing: 0, .kill, report)
        #expect(whole.code == 0)
        for number in stride(from: report.count - 1, to: 0, by: -1) {
            try FileManager.default.removeItem(at: docket.data)
            try FileManager.default.copyItem(at: template, to: docket.data)
            _ = try docket.run(["add", "killed"], failing: number, .kill, report)
            let log = docket.path("data/docket.sqlite-wal")
            let size = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
            if size ?? 0 > 0 { return }
        }
        Issue.record("no command leaves a log")
    }

    @Test(
        .enabled(if: FaultyCalls.library != nil, "there is no C compiler"),
        arguments: ["removed", "replaced", "copied over"]
    )
    func aStoreThatIsRemovedOrReplacedKeepsNoLogOfTheFormerOne(_ how: String) throws {
        let docket = try Docket.withData()
        let store = docket.path("data/docket.sqlite")
        #expect(try docket("add", "other store").code == 0)
        try FileManager.default.moveItem(atPath: store, toPath: docket.path("other.sqlite"))
        for title in ["one", "two"] { #expect(try docket("add", title).code == 0) }
        try killedCommand(docket)
        switch how {
        case "removed": unlink(store)
        case "replaced": rename(docket.path("other.sqlite"), store)
        default:
            let bytes = try docket.read("other.sqlite")
            let handle = try FileHandle(forUpdating: URL(filePath: store))
            try handle.write(contentsOf: bytes)
            try handle.truncate(atOffset: UInt64(bytes.count))
            try handle.close()
        }
        let wanted = how == "removed" ? [] : ["other store"]
        #expect(try docket.titles("--all") == wanted, "\(how)")
        #expect(try docket("add", "next").code == 0)
        #expect(try docket.titles("--all") == wanted + ["next"], "\(how)")
        #expect(try docket.integrity() == "ok")
        #expect(try docket("doctor").code == 0)
    }
}

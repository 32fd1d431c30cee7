import ChildProcess
import DocketCore
import DocketFormats
import Foundation
import ObjectGraph
import Testing

@testable import DocketSync

@Suite(.serialized) struct RealServerTests {
    @Test(arguments: ServerAtHand.installed)
    func twoReplicasBecomeEqual(kind: ServerAtHand.Kind) throws {
        let server = try ServerAtHand(kind)
        let (one, two) = (try Replica(), try Replica())
        try one.add("Buy milk #shop +Home !high", "Pay rent due 2026-12-01 +Home", "Call")
        try one.edit { library in
            _ = try library.addNote(try library.capture("Ideas +Work"))
            try one.task("Buy milk", library).parent = try one.task("Pay rent", library)
            _ = try library.context.save()
        }
        func sync(_ replica: Replica) throws -> String {
            let (code, text) = try SyncProcess(store: replica.store, server: server).run()
            #expect(code == 0, "\(text)")
            return text
        }
        let first = try sync(one)
        #expect(first.hasPrefix("test: "), "\(first)")
        _ = try sync(two)
        try expectEqual(one, two)
        #expect(try two.items().count == 4)
        try two.edit { library in
            try two.task("Call", library).title = "Call Ada"
            try two.task("Buy milk", library).trashed = Date()
            _ = try library.context.save()
        }
        _ = try sync(two)
        _ = try sync(one)
        try expectEqual(one, two)
        #expect(try one.titles() == ["Call Ada", "Ideas", "Pay rent"])
        _ = try sync(one)
        #expect(try sync(one) == "test: nothing has changed.\n")
    }

    @Test(arguments: ServerAtHand.installed)
    func aNewListThatIsSentWholeIsTheSameOnTheServer(kind: ServerAtHand.Kind) throws {
        let server = try ServerAtHand(kind)
        let (one, two) = (try Replica(), try Replica())
        try one.edit { library in
            for number in 1...12 {
                let text = "Task \(number) +Home due 2026-11-0\(number % 9 + 1) 09:30"
                let task = try library.addTask(try library.capture(text)).task
                (task.notes, task.flagged) = ("ä; 1,2\n\n\\", number % 2 == 0)
                task.rule = "FREQ=WEEKLY"
            }
            _ = try library.addNote(try library.capture("Ideas +Home"))
            _ = try library.context.save()
        }
        for replica in [one, two, one] {
            let process = SyncProcess(store: replica.store, server: server, zone: "Europe/Berlin")
            let (code, text) = try process.run()
            #expect(code == 0, "\(text)")
            if replica === two { #expect(text.contains("13 items and"), "\(text)") }
        }
        try expectEqual(one, two)
        let process = SyncProcess(store: one.store, server: server, zone: "Europe/Berlin")
        #expect(try process.run(["--verify"]).1 == "test: nothing has changed.\n")
        #expect(try two.edit { try $0.lists().contains { $0.name == "Home" } })
    }

    @Test(.enabled(if: InstalledProgram.has("radicale"), "radicale is not installed"))
    func aWrongPasswordAndAClosedServerAreToldAsSuch() throws {
        let replica = try Replica()
        try replica.add("One")
        var server: ServerAtHand? = try ServerAtHand(.radicale)
        let process = SyncProcess(store: replica.store, server: try #require(server))
        let (code, text) = try process.run(password: "wrong")
        #expect(code == 1)
        #expect(text.contains("does not accept the user or the password"), "\(text)")
        server?.stop()
        server = nil
        let (offline, words) = try process.run()
        #expect(offline == 7)
        #expect(words.contains("cannot be reached"), "\(words)")
        #expect(try replica.titles() == ["One"])
    }
}

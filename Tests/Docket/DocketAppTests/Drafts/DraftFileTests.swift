import DocketCore
import Foundation
import ObjectGraph
import TerminalUI
import Testing

@testable import DocketApp

/// The files beside a store in which windows keep what is typed.
@Suite struct DraftFileTests {
    private final class Folder {
        let url: URL
        var store: String { url.appendingPathComponent("my store.sqlite").path }

        init() throws {
            url = FileManager.default.temporaryDirectory
                .appendingPathComponent("docket-draft-files-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        var names: [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
        }

        func put(_ text: String, _ name: String) throws {
            try text.write(
                to: url.appendingPathComponent(name),
                atomically: false,
                encoding: .utf8
            )
        }
    }

    private func drafts(_ text: String) -> Drafts {
        var drafts = Drafts()
        drafts.keep(CaptureDraft(text: text))
        return drafts
    }

    @Test func aWindowThatLivesKeepsItsFileAndOneThatEndedGivesItUp() throws {
        let folder = try Folder()
        var first: DraftFile? = DraftFile(store: folder.store)
        #expect(folder.names == [])
        try first?.write(drafts("one"))
        try first?.write(drafts("two"))
        #expect(folder.names.count == 1)
        let second = DraftFile(store: folder.store)
        #expect(second.adopt().isEmpty)
        first = nil
        #expect(second.adopt() == drafts("two"))
        // The file stays until its text is in another one.
        #expect(folder.names.count == 1)
        try second.write(drafts("two"))
        #expect(folder.names.count == 1)
        #expect(DraftFile(store: folder.store).adopt().isEmpty)
        try second.write(Drafts())
        #expect(folder.names == [])
    }

    @Test func twoThatStartAtOnceDoNotBothTakeOver() throws {
        let folder = try Folder()
        try DraftFile(store: folder.store).write(drafts("left"))
        let one = DraftFile(store: folder.store)
        let two = DraftFile(store: folder.store)
        #expect(one.adopt() == drafts("left"))
        #expect(two.adopt().isEmpty)
    }

    @Test func whatIsNoDraftIsLeftAlone() throws {
        let folder = try Folder()
        try folder.put("not ours", "my store.sqlite-draft-1-a")
        try folder.put("{\"forms\":[", "my store.sqlite-draft-1-b.part")
        try folder.put("{}", "my store.sqlite-wal")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.store)-draft-2-c",
            withDestinationPath: "/etc/hostname"
        )
        let file = DraftFile(store: folder.store)
        #expect(file.adopt().isEmpty)
        try file.write(drafts("mine"))
        try file.write(Drafts())
        #expect(
            folder.names == [
                "my store.sqlite-draft-1-a", "my store.sqlite-draft-2-c", "my store.sqlite-wal",
            ]
        )
    }

    @Test func whereNothingCanBeWrittenThatIsSaidOnce() throws {
        let robot = try Robot()
        robot.application.keepDrafts(beside: robot.folder.path + "/none/store.sqlite")
        try robot.press("a")
        robot.type("some text")
        robot.application.writeDrafts()
        #expect(robot.message.contains("cannot be saved as a draft in"))
        #expect(robot.message.contains("No such file or directory"))
        robot.workspace.messages.clear()
        robot.type(" more")
        robot.application.writeDrafts()
        #expect(robot.message == "")
    }

    @Test func theFormOfASmartListThatWasOpenWhenAWindowWasKilledComesBack() throws {
        let robot = try Robot(rows: 40)
        let store = robot.folder.appendingPathComponent("store.sqlite").path
        robot.application.keepDrafts(beside: store)
        let list = try robot.library.addSmartList(
            SmartListValues(name: "Gone", query: "due:<7d")
        ).list
        try robot.press("L s")
        robot.type("Half a list")
        try robot.press("tab")
        robot.type("tag:nowhere rent")
        try robot.press("tab right")
        robot.application.writeDrafts()
        let names = try FileManager.default.contentsOfDirectory(atPath: robot.folder.path)
        let left = try #require(names.first { $0.contains("-draft-") })
        // What the killed window has written, as the next one finds it.
        let bytes = try Data(contentsOf: robot.folder.appendingPathComponent(left))
        var found = try JSONDecoder().decode(Drafts.self, from: bytes)
        found.keep(
            SmartListDraft(of: list, SmartListValues(name: "Edited", query: "due:<9d"))
        )
        try robot.library.delete(list)
        let next = try Robot(rows: 40)
        let nextStore = next.folder.appendingPathComponent("store.sqlite").path
        try DraftFile(store: nextStore).write(found)
        next.application.keepDrafts(beside: nextStore)
        next.settle()
        #expect(next.message.contains("2 texts are kept; these keys, then ^T restore them: Ls."))
        // The draft of the list that does not exist is one of a new list.
        try next.press("L s ctrl+t")
        #expect(next.shows("Edited") && next.shows("due:<9d"))
        try next.press("ctrl+s L s ctrl+t")
        #expect(next.shows("Half a list") && next.shows("tag:nowhere rent"), "\(next.text)")
        #expect(next.shows("by hand, reversed"))
    }

    @Test func aDraftFileOfAnOlderVersionIsRead() throws {
        let text = #"{"forms":[],"captures":[{"text":"Call"}]}"#
        let drafts = try JSONDecoder().decode(Drafts.self, from: Data(text.utf8))
        #expect(drafts == self.drafts("Call"))
        #expect(
            try !String(decoding: JSONEncoder().encode(drafts), as: UTF8.self).contains("lists")
        )
    }

    @Test func whatWindowsLeftIsOfferedWhereItBelongs() throws {
        let robot = try Robot()
        let store = robot.folder.appendingPathComponent("store.sqlite").path
        let rent = try robot.item("Pay rent")
        var left = Drafts()
        left.keep(CaptureDraft(text: "a subtask", parent: rent.uuid))
        left.keep(CaptureDraft(text: "of nobody", parent: UUID()))
        left.keep(
            FormDraft(
                item: UUID(),
                isNote: true,
                title: "gone note",
                fields: ["title": .init(text: "gone note", original: "")]
            )
        )
        try DraftFile(store: store).write(left)
        robot.application.keepDrafts(beside: store)
        robot.settle()
        #expect(robot.message.contains("3 texts are kept"))
        #expect(robot.message.contains("A on \"Pay rent\", a, n"))
        try robot.select("Pay rent")
        try robot.press("A ctrl+t")
        #expect(robot.shows("a subtask"))
        try robot.press("enter a ctrl+t")
        #expect(robot.shows("of nobody"))
        try robot.press("enter n ctrl+t ctrl+s")
        #expect(try robot.item("gone note") is Note)
        robot.application.writeDrafts()
        let names = try FileManager.default.contentsOfDirectory(atPath: robot.folder.path)
        #expect(!names.contains { $0.contains("-draft-") })
    }
}

import CivilTime
import DocketCore
import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

@Suite("The library's verbs")
struct LibraryTests {
    /// A library in a folder of its own.
    static func library(_ folder: URL) throws -> Library {
        try Library(url: folder.appending(path: "docket.sqlite"), author: "test") {
            DateContext(now: Date(), zone: .utc)
        }
    }

    static func temporaryFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "docket-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test func aCapturedTaskIsThereAfterReopening() throws {
        let folder = try Self.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let library = try Self.library(folder)
        let task = try library.addTask(capturing: "Pay rent +Home/Money #bank !high")
        #expect(task.shortID == 1)
        library.close()

        let again = try Self.library(folder)
        let item = try again.item(.number(1))
        #expect(item.title == "Pay rent")
        #expect(item.list?.path == ["Home", "Money"])
        #expect(item.tags.map(\.name) == ["bank"])
        #expect((item as? Task)?.priority == 3)
        #expect(try again.items(matching: Library.openItems).count == 1)
        try again.complete([item])
        #expect(try again.items(matching: Library.openItems).isEmpty)
        #expect(try again.undo()?.step.name == "Completed \"Pay rent\"")
        #expect((item as? Task)?.isDone == false)
        #expect(try again.undo()?.step.name == "Added \"Pay rent\"")
        #expect(try again.items(matching: nil).isEmpty)
        #expect(try again.lists().isEmpty)
        #expect(try again.redo()?.step.name == "Added \"Pay rent\"")
        #expect(try again.item(.number(1)).tags.count == 1)
    }

    @Test func movingAnItemWritesItsRowAlone() throws {
        let folder = try Self.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let library = try Self.library(folder)
        for title in ["a", "b", "c", "d"] { _ = try library.addTask(capturing: title) }
        let items = try library.items(matching: nil)
        try library.place([items[3]], .before(items[1]))
        #expect(try library.items(matching: nil).map(\.title) == ["a", "d", "b", "c"])
        try library.place([items[0]], .bottom)
        #expect(try library.items(matching: nil).map(\.title) == ["d", "b", "c", "a"])
        _ = try library.undo()
        #expect(try library.items(matching: nil).map(\.title) == ["a", "d", "b", "c"])
    }
}

import DocketCore
import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import SQLiteStore
import Testing

@Suite("A library beside another on one file")
struct RefreshTests {
    private func pair() throws -> (LibraryFolder, Library, Library) {
        let folder = try LibraryFolder()
        return (folder, try folder.open(), try folder.open())
    }

    @Test func anothersEditShowsInAnObjectThatWasReadBefore() throws {
        let (folder, one, two) = try pair()
        defer { withExtendedLifetime(folder) {} }
        _ = try one.addTask(capturing: "Old")
        let item = try two.item(.number(1))
        #expect(item.title == "Old")
        try one.edit(one.item(.number(1)), [FieldChange("title=New"), FieldChange("tags=a")])
        #expect(try two.item(.number(1)) === item)
        #expect(item.title == "New")
        #expect(item.tags.map(\.name) == ["a"])
    }

    @Test func theSavesOfOthersAreMergedOnceInAnEvent() throws {
        let (folder, one, two) = try pair()
        defer { withExtendedLifetime(folder) {} }
        _ = try one.addTask(capturing: "a")
        let item = try #require(try two.item(.number(1)) as? Task)
        var flags = [item.flagged]
        two.event {
            _ = try? two.items(matching: nil)
            _ = try? one.edit(one.item(.number(1)), [FieldChange("flagged=yes")])
            _ = try? two.items(matching: nil)
            flags.append(item.flagged)
            // A verb in the same event keeps what the other one has saved.
            _ = try? two.complete([item])
        }
        _ = try two.items(matching: nil)
        flags.append(item.flagged)
        #expect(flags == [false, false, true])
        #expect(item.isDone)
    }

    @Test func anUndoneAddTakesTheObjectAwayAndRedoBringsItBack() throws {
        let (folder, one, two) = try pair()
        defer { withExtendedLifetime(folder) {} }
        _ = try one.addTask(capturing: "Old")
        let item = try two.item(.number(1))
        _ = try one.undo()
        #expect(try two.complete([item]) == nil)
        #expect(item.isDeleted)
        #expect(throws: InputError.self) { try two.item(.number(1)) }
        _ = try one.redo()
        #expect(try two.item(.number(1)).title == "Old")
        #expect(try two.complete([two.item(.number(1))])?.subject.count == 1)
    }

    @Test func anUndoOfAnothersCommandFindsNoConflictInOldRows() throws {
        let (folder, one, two) = try pair()
        defer { withExtendedLifetime(folder) {} }
        _ = try one.addTask(capturing: "Old")
        _ = try two.item(.number(1)).title
        try one.edit(one.item(.number(1)), [FieldChange("title=New")])
        #expect(try two.undo()?.isDone == true)
        #expect(try one.item(.number(1)).title == "Old")
    }

    @Test func numbersAndPlacesOfTwoLibrariesStayApart() throws {
        let (folder, one, two) = try pair()
        defer { withExtendedLifetime(folder) {} }
        for index in 0..<20 { _ = try (index % 2 == 0 ? one : two).addTask(capturing: "\(index)") }
        let items = try one.items(matching: nil)
        #expect(items.map(\.shortID) == Array(1...20))
        #expect(items.map(\.title) == (0..<20).map { "\($0)" })
        #expect(Set(items.map(\.displayOrder)).count == 20)
    }

    /// The other library saves after this one has chosen its number, before it saves.
    @Test func sameShortIDGivenOutAtOnceKeepsBothTasks() throws {
        let (folder, one, two) = try pair()
        defer { withExtendedLifetime(folder) {} }
        var interloper: Task?
        let center = one.context.notifications
        let token = center.addObserver(of: ContextWillSave.self, from: one.context) { _ in
            if interloper == nil { interloper = try? two.addTask(capturing: "Theirs #b") }
        }
        let mine = try one.addTask(capturing: "Mine #a")
        center.removeObserver(token)
        #expect(interloper?.shortID == 1 && mine.shortID == 2)
        try one.refresh()
        let items = try one.items(matching: nil)
        #expect(items.map(\.title) == ["Theirs", "Mine"] && items.last === mine)
        #expect(items.map { $0.tags.map(\.name) } == [["b"], ["a"]])
        #expect(Set(items.map(\.displayOrder)).count == 2)
    }

    @Test func sameShortIDGivenOutInAFormKeepsBothTasks() throws {
        let (folder, one, two) = try pair()
        defer { withExtendedLifetime(folder) {} }
        let scratch = one.makeScratch()
        let mine = scratch.insert(Task.self)
        mine.title = "Mine"
        var interloper: Task?
        let token = scratch.notifications.addObserver(of: ContextWillSave.self, from: scratch) {
            _ in
            if interloper == nil { interloper = try? two.addTask(capturing: "Theirs") }
        }
        #expect(try one.saveForm(scratch, of: mine)?.subject.title == "Mine")
        scratch.notifications.removeObserver(token)
        #expect(interloper?.shortID == 1)
        try one.refresh()
        #expect(try Set(one.items(matching: nil).map(\.title)) == ["Theirs", "Mine"])
        #expect(try one.item(.number(2)).title == "Mine")
    }

    @Test func aMoveToTheEndGoesBehindWhatAnotherPutThere() throws {
        let (folder, one, two) = try pair()
        defer { withExtendedLifetime(folder) {} }
        for title in ["a", "b", "c"] { _ = try one.addTask(capturing: title) }
        _ = try two.items(matching: nil).map(\.displayOrder)
        try one.place([one.item(.number(1))], .bottom)
        try two.place([two.item(.number(2))], .bottom)
        #expect(try one.items(matching: nil).map(\.title) == ["c", "a", "b"])
    }

    @Test func withoutForeignSavesNothingIsReadFromTheHistory() throws {
        let (folder, one, _) = try pair()
        defer { withExtendedLifetime(folder) {} }
        for index in 0..<5 { _ = try one.addTask(capturing: "\(index)") }
        let sql = try statements(one) { _ = try one.item(.number(3)) }
        #expect(sql.allSatisfy { !$0.contains("OG_") }, "\(sql)")
    }

    /// The rule: a move writes the moved row and its history; nothing grows with the list.
    @Test func aMoveRunsTheseStatements() throws {
        let (folder, one, _) = try pair()
        defer { withExtendedLifetime(folder) {} }
        for index in 0..<200 { _ = try one.addTask(capturing: "\(index)") }
        let items = try one.items(matching: nil)
        // The first move also gives the property's name its number in the history.
        try one.place([items[199]], .before(items[198]))
        _ = items.map(\.displayOrder)
        let sql = try statements(one) { try one.place([items[150]], .before(items[10])) }
        let writes = sql.filter { !$0.hasPrefix("SELECT") && !$0.hasPrefix("PRAGMA") }
        #expect(
            writes.map { $0.prefix { $0 != "(" && $0 != "=" } } == [
                "BEGIN IMMEDIATE", "UPDATE OG_TRANSACTION SET state ",
                "UPDATE ZITEM SET Z_OPT ", "INSERT INTO OG_CHANGE ",
                "INSERT INTO OG_TRANSACTION ", "COMMIT",
            ],
            "\(writes)"
        )
        // Its other neighbour is the only row that is looked for.
        #expect(sql.count { $0.contains("ORDER BY t0.ZDISPLAYORDER") } == 1, "\(sql)")
    }

    private func statements(_ library: Library, _ body: () throws -> Void) throws -> [String] {
        let stores = library.coordinator.openStores
        let store = try #require(stores.first as? SQLiteStore)
        var sql: [String] = []
        store.trace { text, _ in sql.append(text) }
        defer { store.trace(nil) }
        try body()
        return sql
    }
}

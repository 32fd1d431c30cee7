import DocketFormats
import FixedTime
import Foundation
import LibraryVerbs
import Testing

@testable import DocketCore

/// What completes the marks of a new item, and what happens to a list that does not exist.
@Suite struct CaptureCompletionTests {
    let folder: LibraryFolder
    let library: Library

    init() throws {
        folder = try LibraryFolder()
        library = try Library(url: folder.store, author: "test") { Fixed.context }
        for line in [
            "Pay rent +Home #bank @Bank", "Mow +Home/Garden #\"big tools\" @\"Big field\"",
            "Pay tax +\"Big project\"",
        ] { try library.addTask(capturing: line) }
    }

    private func candidates(_ text: String) throws -> [String] {
        let titles = { (try? library.titles(beginning: $0)) ?? [] }
        let names = QueryNames(library)
        return CaptureCompletion(text, at: text.utf8.count, names, titles: titles)?.candidates ?? []
    }

    @Test(arguments: [
        ("Call +Ho", ["+Home", "+Home/Garden"]), ("Call +gar", ["+Home/Garden"]),
        ("Call +Bi", ["+\"Big project\""]), ("Call +\"Big p", ["+\"Big project\""]),
        ("#", []), ("#b", ["#bank", "#\"big tools\""]), ("Call #\"big t", ["#\"big tools\""]),
        ("x @bi", ["@\"Big field\""]), ("See [[Pay", ["[[Pay rent]]", "[[Pay tax]]"]),
        ("See [[Pay rent]] a", []), ("a+Ho", []), ("+Home", []), ("+Home b", []), ("", []),
        ("5 + 3", []), ("+Zz", []),
    ])
    func aMarkIsCompleted(text: String, expected: [String]) throws {
        #expect(try candidates(text) == expected)
    }

    @Test func aCompletedTextIsReadBackAsTheName() throws {
        let text = "Call +Bi"
        let names = QueryNames(library)
        let found = try #require(CaptureCompletion(text, at: text.utf8.count, names))
        let line = found.completed(text, with: found.candidates[0])
        #expect(try library.capture(line).list == ["Big project"])
    }

    @Test func aNewListIsUndoneWithItsItem() throws {
        let captured = try library.capture("Book flight +\"Japan trip\"")
        #expect(try library.isNewList(captured.list))
        #expect(
            captured.words(Fixed.context, isListNew: true) == "new list Japan trip"
        )
        let before = try library.everything()
        _ = try library.addTask(captured)
        #expect(try !library.isNewList(["japan TRIP"]))
        _ = try library.undo()
        #expect(try library.everything() == before)
    }

    @Test(arguments: [NewLists.no, .ask])
    func aListIsNotCreatedUnlessThatIsAllowed(_ policy: NewLists) throws {
        library.newLists = policy
        let before = try library.everything()
        let refusal = "The list Japan does not exist; docket lists add Japan creates it."
        let item = try #require(try library.items(matching: nil).first)
        func message(_ body: () throws -> Void) -> String? {
            do {
                try body()
                return nil
            } catch { return (error as? InputError)?.message }
        }
        #expect(message { try library.addTask(capturing: "a +Japan") } == refusal)
        #expect(message { try library.edit(item, [FieldChange("list=Japan")]) } == refusal)
        #expect(message { try library.perform(.list(.path(["Japan"])), on: [item]) } == refusal)
        #expect(try library.everything() == before)
        try library.addTask(capturing: "a +home")
        _ = try library.creatingLists { try library.addTask(capturing: "a +Japan") }
        #expect(try library.existingList(path: ["Japan"]) != nil)
        #expect(library.newLists == policy)
    }
}

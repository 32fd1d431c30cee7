import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

@testable import DocketCore

/// Org, Markdown and tables, imported and exported again and again.
@Suite("Import of documents and tables")
struct DocumentImportTests {
    private let folder: LibraryFolder
    private let library: Library

    init() throws {
        folder = try LibraryFolder()
        library = try folder.open()
    }

    private static let documents: [(format: ExchangeFormat, text: String, edited: String)] = [
        (
            .org,
            "* Home :h:\n** TODO Pay rent\nDEADLINE: <2026-12-01 Tue ++1m>\n*** DONE Ask\n*** TODO Ask\n"
                + "** Note\nbody\n",
            "* Home :h:\n** TODO Pay rent\nDEADLINE: <2026-12-02 Wed ++1m>\n*** DONE Ask\n*** TODO Ask\n"
                + "** Note\nbody\n"
        ),
        (
            .markdown,
            "# Home\n\n- [ ] Pay rent 📅 2026-12-01 #h\n  - [x] Ask\n  - [ ] Ask\n- Note [kind:: note]\n",
            "# Home\n\n- [ ] Pay rent 📅 2026-12-02 #h\n  - [x] Ask\n  - [ ] Ask\n- Note [kind:: note]\n"
        ),
        (
            .csv,
            "id,title,list,parent,due,done,colour\n1,Pay rent,Home,,2026-12-01,,red\n2,Ask,Home,1,,yes,\n"
                + ",Note,Home,,,,\n",
            "id,title,list,parent,due,done,colour\n1,Pay rent,Home,,2026-12-02,,red\n2,Ask,Home,1,,yes,\n"
                + ",Note,Home,,,,\n"
        ),
    ]

    @discardableResult
    private func load(_ text: String, _ format: ExchangeFormat) throws -> ImportOutcome {
        try library.importItems(format, from: Array(text.utf8))
    }

    private func export(_ format: ExchangeFormat) throws -> String {
        var bytes: [UInt8] = []
        _ = try library.export(format) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func item(_ title: String) throws -> Item {
        try #require(try library.items(matching: nil).first { $0.title == title })
    }

    @Test(arguments: documents.map(\.format))
    func aSecondImportMakesNoStep(format: ExchangeFormat) throws {
        let (_, text, edited) = try #require(Self.documents.first { $0.format == format })
        try load(text, format)
        let before = try library.everything()
        let count = try library.undoSteps(limit: 9).count
        let again = try load(text, format)
        #expect(again.added == 0 && again.updated == 0, "\(again.report.details())")
        #expect(again.report.left.isEmpty, "\(again.report.details())")
        #expect(try library.everything() == before)
        #expect(try library.undoSteps(limit: 9).count == count)
        // Changed there only.
        let newer = try load(edited, format)
        #expect(newer.updated == 1 && newer.added == 0, "\(newer.report.details())")
        #expect(try load(edited, format).updated == 0)
        // Changed here only: the same file does not take it back.
        try library.edit(try item("Pay rent"), [FieldChange("due=2026-12-24")])
        let mine = try library.everything()
        #expect(try load(edited, format).updated == 0)
        #expect(try library.everything() == mine)
    }

    @Test(arguments: documents.map(\.format))
    func anExportComesBackWithoutAStep(format: ExchangeFormat) throws {
        let (_, text, _) = try #require(Self.documents.first { $0.format == format })
        try load(text, format)
        _ = try library.addTask(
            capturing: "Own +Home #x !high tomorrow 9:30 every 2 weeks\nbuy milk"
        )
        _ = try library.addTask(capturing: "Under +Work")
        _ = try library.addNote(capturing: "Own note\nbody\nmore")
        try library.edit(try item("Under"), [FieldChange("parent=1")])
        try library.edit(try item("Pay rent"), [FieldChange("title=Pay the rent")])
        let before = try library.everything()
        let exported = try export(format)
        let outcome = try load(exported, format)
        #expect(outcome.added == 0, "\(exported)\n\(outcome.report.details())")
        #expect(outcome.updated == 0, "\(exported)\n\(outcome.report.details())")
        #expect(try library.everything() == before)
        // A library that has nothing gets everything that the format holds.
        let other = try LibraryFolder()
        let copy = try other.open()
        _ = try copy.importItems(format, from: Array(exported.utf8))
        #expect(
            try Set(copy.items(matching: nil).map(\.title))
                == Set(library.items(matching: nil).map(\.title))
        )
        var bytes: [UInt8] = []
        _ = try copy.export(format) { bytes += $0 }
        if format != .csv { #expect(String(decoding: bytes, as: UTF8.self) == exported) }
    }

    @Test(arguments: documents.map(\.format).filter { $0 != .csv })
    func theFileOfALibraryThatNobodyChangedComesOutAsItWas(format: ExchangeFormat) throws {
        let (_, text, _) = try #require(Self.documents.first { $0.format == format })
        try load(text, format)
        #expect(try export(format) == text)
        _ = try library.complete([try item("Pay rent")])
        #expect(try export(format) != text)
        _ = try library.undo()
        #expect(try export(format) == text)
    }

    @Test func twoItemsWithOneIdentityAreRefused() throws {
        let id = ":PROPERTIES:\n:ID: 7\n:END:\n"
        let outcome = try library.importItems(
            .org,
            from: Array("* TODO a\n\(id)* TODO b\n\(id)".utf8)
        )
        #expect(outcome.report.skipped.first?.reason.contains("same UUID") == true)
        #expect(try library.items(matching: nil).isEmpty)
    }
}

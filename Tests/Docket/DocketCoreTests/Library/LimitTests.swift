import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

@testable import DocketCore

/// More than anybody writes by hand is refused with a sentence, whichever way it comes in.
@Suite("Limits")
struct LimitTests {
    private let folder: LibraryFolder
    private let library: Library
    private let tooManyTags = (0..<20_000).map { "tag\($0)" }
    private let tooDeep = (0..<3000).map { "List\($0)" }

    init() throws {
        folder = try LibraryFolder()
        library = try folder.open()
    }

    private func refused(_ sentence: String, _ body: () throws -> Void) throws {
        let error = try #require(throws: InputError.self) { try body() }
        #expect(error.kind == .tooMuch)
        #expect(error.message == sentence)
        #expect(!library.context.hasChanges)
        #expect(try library.tags().isEmpty && library.lists().isEmpty)
    }

    @Test func itemsWithTooManyTagsAreRefused() throws {
        let sentence = "An item can have at most 500 tags, not 20000."
        let task = try library.addTask(capturing: "one")
        let words = tooManyTags.map { "#\($0)" }.joined(separator: " ")
        try refused(sentence) { _ = try library.addTask(capturing: "x " + words) }
        try refused(sentence) { _ = try library.addNote(capturing: "x " + words) }
        try refused(sentence) { try library.changeTags(of: [task], adding: tooManyTags) }
        try refused(sentence) {
            try library.edit(task, [FieldChange("tags=" + tooManyTags.joined(separator: ","))])
        }
        for format in [ExchangeFormat.json, .taskwarrior, .todotxt] {
            let list = tooManyTags.map { "\"\($0)\"" }.joined(separator: ",")
            let text =
                switch format {
                case .json: "{\"title\":\"x\",\"tags\":[\(list)]}"
                case .taskwarrior: "{\"description\":\"x\",\"tags\":[\(list)]}"
                default: "x " + words
                }
            let report = try library.importItems(format, from: Array(text.utf8)).report
            #expect(report.skipped.map(\.reason) == [sentence], "\(format)")
        }
        #expect(try library.count(nil) == 1)
    }

    @Test func asManyAsAreAllowedAreTaken() throws {
        let names = tooManyTags.prefix(Limits.tags)
        let words = names.map { "#\($0)" }.joined(separator: " ")
        let task = try library.addTask(capturing: "x " + words)
        #expect(task.$tags.count == Limits.tags)
        try refusedMore(task)
        let path = tooDeep.prefix(Limits.listLevels).joined(separator: "/")
        let deep = try library.addTask(capturing: "y +" + path)
        #expect(deep.list?.path.count == Limits.listLevels)
        let words100 = Array(repeating: "x", count: Limits.searchWords).joined(separator: " ")
        #expect(try library.search(words100, matching: nil).count == 1)
    }

    private func refusedMore(_ task: Task) throws {
        let error = try #require(throws: InputError.self) {
            try library.changeTags(of: [task], adding: ["more"])
        }
        #expect(error.message == "An item can have at most 500 tags, not 501.")
        #expect(try library.tags().count == Limits.tags)
    }

    @Test func listsThatAreTooDeepAreRefused() throws {
        let sentence = "Lists can be at most 50 levels deep, not 3000."
        let task = try library.addTask(capturing: "one")
        let path = tooDeep.joined(separator: "/")
        try refused(sentence) { _ = try library.addTask(capturing: "x +" + path) }
        try refused(sentence) { try library.edit(task, [FieldChange("list=" + path)]) }
        try refused(sentence) { _ = try library.addList(path: tooDeep) }
        try refused(sentence) { _ = try Library.list(path: tooDeep, in: library.context) }
        for format in [ExchangeFormat.json, .taskwarrior, .todotxt] {
            let text =
                switch format {
                case .json: "{\"title\":\"x\",\"list\":\"\(path)\"}"
                case .taskwarrior:
                    "{\"description\":\"x\",\"project\":\"\(tooDeep.joined(separator: "."))\"}"
                default: "x +" + path
                }
            let report = try library.importItems(format, from: Array(text.utf8)).report
            #expect(report.skipped.map(\.reason) == [sentence], "\(format)")
        }
    }

    @Test func searchesWithTooManyWordsAreRefused() throws {
        let words = (0..<20_000).map { "word\($0)" }.joined(separator: " ")
        try refused("A search takes at most 100 words, not 20000; leave some out.") {
            _ = try library.search(words, matching: nil)
        }
    }
}

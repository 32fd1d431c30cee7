import Foundation
import LibraryVerbs
import ObjectGraph
import Testing

@testable import DocketCore

/// The list of what nobody has touched for two weeks.
@Suite struct ReviewTests {
    private let folder: LibraryFolder
    private let library: Library

    init() throws {
        folder = try LibraryFolder()
        library = try folder.open()
    }

    private func listed() throws -> [String] {
        let scope = Scope.smart(.review)
        return try library.items(matching: scope.condition(library.clock(), showsDone: false))
            .map(\.title)
    }

    /// As if the last change had been so many days ago.
    private func age(_ tasks: DocketCore.Task..., days: Double) throws {
        for task in tasks { task.modified = Date() - days * 86_400 }
        try library.context.save()
    }

    @Test func aTaskIsListedUntilSomebodyTouchesOrKeepsIt() throws {
        let paint = try library.addTask(capturing: "Paint the fence")
        let sell = try library.addTask(capturing: "Sell the piano")
        _ = try library.addNote(capturing: "Colours")
        #expect(try listed() == [])
        try age(paint, sell, days: 16)
        #expect(try listed() == ["Paint the fence", "Sell the piano"])
        let step = try library.perform(.review, on: [paint])
        #expect(step?.name == "Reviewed \"Paint the fence\"")
        #expect(try listed() == ["Sell the piano"])
        #expect(paint.lastReviewed != nil)
        try library.edit(sell, [FieldChange("priority=high")])
        #expect(try listed() == [])
        try age(paint, days: 16)
        #expect(try listed() == ["Paint the fence"])
    }
}

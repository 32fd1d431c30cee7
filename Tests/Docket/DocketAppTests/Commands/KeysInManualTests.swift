import Foundation
import TerminalUI
import Testing

@testable import DocketApp

/// The keys that `docs/manual/keys.md` lists.
@Suite struct KeysInManualTests {
    @Test func theManualHasEachKeyOfItemsAndOfTheProgram() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../docs/manual/keys.md").standardizedFileURL
        let manual = try String(contentsOf: file, encoding: .utf8)
        let commands = CommandTable.all.filter { $0.context == .main && $0.category != .move }
        // Keys of one character; those that only close or move need no row.
        let keys = Set(commands.flatMap(\.keys)).filter { $0.count == 1 }
        #expect(keys.count > 40)
        #expect(keys.filter { !manual.contains("`\($0)`") }.sorted() == [])
    }
}

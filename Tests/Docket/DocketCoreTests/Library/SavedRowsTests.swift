import LibraryVerbs
import ObjectGraph
import Testing

@testable import DocketCore

/// What is read directly from rows.
@Suite struct SavedRowsTests {
    @Test func anUnsavedOwnerHasNoMembersAndTheOthersHaveTheirs() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        let saved = try library.addTask(capturing: "Plan #out")
        let tag = try #require(saved.tags.first)
        let unsaved = library.context.insert(Task.self).objectID
        for owners in [[unsaved, saved.objectID], [saved.objectID, unsaved, saved.objectID]] {
            let found = try library.context.savedDestinations(
                of: \.tags,
                in: Item.self,
                for: owners
            )
            #expect(found == owners.map { $0 == unsaved ? [] : [tag.objectID] })
        }
        #expect(
            try library.context.savedDestinations(of: \.tags, in: Item.self, for: [unsaved]) == [[]]
        )
    }
}

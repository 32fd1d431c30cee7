import Foundation
import ObjectContext
import ObjectGraph
import ObjectModel
import ObjectStore
import Testing

/// A context that follows the saves of everybody: contexts, coordinators, processes.
@Suite struct StoreFollowerTests {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "follower-\(UUID().uuidString)")

    private func file() throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.appending(path: "a.sqlite")
    }

    private func container(_ url: URL) throws -> PersistentContainer {
        try PersistentContainer(model: TestGraph.model(), url: url)
    }

    private func names(_ context: ManagedObjectContext) throws -> [String] {
        try context.all("Tag").map { $0["name"].text ?? "" }.sorted()
    }

    @Test func saveOfAnotherProcessWakesAndIsMerged() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = try file()
        let path = url.path
        let ours = try container(url)
        let context = ours.viewContext
        let tag = try context.make("Tag", ["name": "ours"])
        try context.save()
        let (woken, waker) = AsyncStream.makeStream(of: Void.self)
        let follower = try StoreFollower(context) { waker.yield() }
        #expect(follower.isWatching)
        #expect(try follower.catchUp().isEmpty)
        await #expect(processExitsWith: .success) { [path = path as String] in
            let other = try PersistentContainer(
                model: TestGraph.model(),
                url: URL(filePath: path)
            )
            let context = other.viewContext
            try context.all("Tag").first?.setValue(.string("theirs"), forKey: "name")
            try context.make("Tag", ["name": "new"])
            try context.save(as: "Rename Tag")
            other.close()
        }
        var news = StoreFollower.News()
        for await _ in woken {
            news = try follower.catchUp()
            if !news.isEmpty { break }
        }
        #expect(news.stepNames == ["Rename Tag"] && !news.wasReset)
        #expect(news.changes.updated == [tag.objectID] && news.changes.inserted.count == 1)
        #expect(tag["name"] == "theirs")
        #expect(try names(context) == ["new", "theirs"])
    }

    @Test func pendingChangesStayAndTheSaveFindsTheConflict() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = try file()
        let (ours, theirs) = (try container(url), try container(url))
        let tag = try ours.viewContext.make("Tag", ["name": "old"])
        try ours.viewContext.save()
        let follower = try StoreFollower(ours.viewContext)
        tag["name"] = "mine"
        try theirs.viewContext.all("Tag").first?.setValue(.string("theirs"), forKey: "name")
        try theirs.viewContext.save()
        #expect(try follower.catchUp().changes.updated == [tag.objectID])
        #expect(tag["name"] == "mine")
        #expect(failure { try ours.viewContext.save() }?.code == .mergeConflict)
    }

    @Test func contextsOfTheSameCoordinatorAreFollowedIfWanted() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let ours = try container(try file())
        let (all, others) = (ours.newContext(), ours.newContext())
        let (woken, waker) = AsyncStream.makeStream(of: Void.self)
        let follower = try StoreFollower(all) { waker.yield() }
        let deaf = try StoreFollower(others, scope: .otherCoordinators)
        let tag = try ours.viewContext.make("Tag", ["name": "a"])
        try ours.viewContext.save()
        let twins = [all, others].map { $0.object(with: tag.objectID) }
        #expect(twins.map { $0["name"] } == ["a", "a"])
        tag["name"] = "b"
        try ours.viewContext.save()
        #expect(try follower.catchUp().isEmpty && deaf.catchUp().isEmpty)
        #expect(twins.map { $0["name"] } == ["b", "a"])
        waker.finish()
        withExtendedLifetime(woken) {}
    }

    @Test func ownSavesBetweenThoseOfOthersAreNotNews() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = try file()
        let (ours, theirs) = (try container(url), try container(url))
        let follower = try StoreFollower(ours.viewContext)
        for index in 0..<3 {
            let mine = ours.newContext()
            try mine.make("Tag")
            try mine.save(as: "mine \(index)")
            try theirs.viewContext.make("Tag")
            try theirs.viewContext.save(as: "theirs \(index)")
        }
        #expect(try follower.catchUp().stepNames == ["theirs 0", "theirs 1", "theirs 2"])
        #expect(try follower.catchUp().isEmpty)
        #expect(try follower.token == ours.coordinator.currentHistoryToken())
    }

    @Test func keptTokenContinuesAfterARestart() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = try file()
        let theirs = try container(url)
        try theirs.viewContext.make("Tag")
        try theirs.viewContext.save(as: "before")
        let token = try StoreFollower(try container(url).viewContext).token
        try theirs.viewContext.make("Tag")
        try theirs.viewContext.save(as: "between")
        let kept = try JSONDecoder()
            .decode(HistoryToken.self, from: JSONEncoder().encode(token))
        let follower = try StoreFollower(try container(url).viewContext, after: kept)
        #expect(try follower.catchUp().stepNames == ["between"])
    }

    // MARK: Changes that are not known

    @Test func deletedHistoryResetsAContextWithoutPendingChanges() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = try file()
        let (ours, theirs) = (try container(url), try container(url))
        let context = ours.viewContext
        let tag = try context.make("Tag", ["name": "old"])
        try context.save()
        let follower = try StoreFollower(context)
        for name in ["a", "b", "c"] {
            try theirs.viewContext.all("Tag").first?.setValue(.string(name), forKey: "name")
            try theirs.viewContext.save()
        }
        try theirs.coordinator.deleteHistory(
            before: theirs.coordinator.currentHistoryToken(),
            keepsSteps: 0
        )
        tag["name"] = "mine"
        #expect(failure { try follower.catchUp() }?.code == .historyExpired)
        #expect(tag["name"] == "mine")
        context.rollback()
        #expect(try follower.catchUp().wasReset)
        #expect(try names(context) == ["c"])
        #expect(try follower.catchUp().isEmpty)
    }

    @Test func replacedFileIsOpenedAgainIfItIsOfTheSameStore() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = try file()
        let copy = folder.appending(path: "copy.sqlite")
        let first = try container(url)
        try first.viewContext.make("Tag", ["name": "old"])
        try first.viewContext.save()
        first.close()
        try FileManager.default.copyItem(at: url, to: copy)
        // The file moves on, so that the log of the next save does not fit the copy.
        let second = try container(url)
        try second.viewContext.make("Tag", ["name": "more"])
        try second.viewContext.save()
        second.close()
        let ours = try container(url)
        let tag = try #require(try ours.viewContext.all("Tag").first)
        let follower = try StoreFollower(ours.viewContext)
        tag["name"] = "new"
        try ours.viewContext.save()
        #expect(rename(copy.path, url.path) == 0)
        follower.reopensReplacedStores = false
        #expect(failure { try follower.catchUp() }?.code == .storeReplaced)
        follower.reopensReplacedStores = true
        #expect(try follower.catchUp().wasReset)
        #expect(try names(ours.viewContext) == ["old"])
        #expect(try follower.catchUp().isEmpty)
        try ours.viewContext.make("Tag", ["name": "later"])
        try ours.viewContext.save()
        #expect(try names(ours.viewContext) == ["later", "old"])
    }
}

extension GraphValue {
    fileprivate var text: String? {
        if case .string(let text) = self { return text }
        return nil
    }
}

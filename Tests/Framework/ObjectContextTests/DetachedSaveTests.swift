import Foundation
import ObjectContext
import ObjectGraph
import ObjectModel
import ObjectStore
import SeededRandom
import Testing

/// Saves that another thread writes, while a child of the context is used.
@Suite struct DetachedSaveTests {
    private let container: PersistentContainer
    private let root: ManagedObjectContext
    private let child: ManagedObjectContext
    private let writer = ContextThread(name: "writer")

    init() throws {
        container = try PersistentContainer(model: TestGraph.model(), options: .inMemory)
        root = container.newContext()
        child = ManagedObjectContext(parent: root)
    }

    /// Lets another thread write, and runs a body before the commit.
    private func write(_ save: DetachedSave, _ meanwhile: () throws -> Void = {}) throws {
        let (began, done) = (Completion(), Completion())
        writer.later {
            save.write { began.signal() }
            done.signal()
        }
        try root.puttingOffCommit {
            began.wait()
            try meanwhile()
        }
        done.wait()
    }

    private func saved(_ key: String = "name") throws -> [String] {
        let context = container.newContext()
        return try withExtendedLifetime(context) {
            try context.all("Tag").map { String(value: $0[key]) ?? "" }.sorted()
        }
    }

    private func begin() throws -> DetachedSave {
        try #require(try root.beginDetachedSave(TransactionInfo()))
    }

    @Test func nothingPendingIsNoSave() throws {
        #expect(try root.beginDetachedSave(TransactionInfo()) == nil)
        let tag = try child.make("Tag", ["name": "a"])
        try child.save()
        try root.save()
        #expect(try root.beginDetachedSave(TransactionInfo()) == nil)
        #expect(!tag.objectID.isTemporaryID)
    }

    @Test func editsOfTheChildMeanwhileBelongToTheNextSave() throws {
        let tag = try child.make("Tag", ["name": "a"])
        try child.save()
        let save = try begin()
        try write(save) {
            tag["name"] = "b"
            try child.make("Tag", ["name": "new"])
            #expect(try child.all("Tag").count == 2)
        }
        #expect(try root.proceed(save))
        #expect(!tag.objectID.isTemporaryID && tag["name"] == "b")
        #expect(try saved() == ["a"])
        #expect(child.hasChanges && !root.hasChanges)
        try child.save()
        try root.save()
        #expect(try saved() == ["b", "new"])
    }

    @Test func whatChangesTheParentWaitsForTheWriting() throws {
        let uses: [(ManagedObjectContext, ManagedObjectContext) throws -> Void] = [
            { _, child in try child.save() }, { root, _ in try root.save() },
            { root, _ in root.rollback() }, { root, _ in root.reset() },
            { root, _ in try root.obtainPermanentIDs(for: Array(root.insertedObjects)) },
        ]
        for (number, use) in uses.enumerated() {
            try child.make("Tag", ["name": .string("\(number)")])
            try child.save()
            let save = try begin()
            let done = Completion()
            writer.later {
                save.write()
                done.signal()
            }
            try child.make("Tag", ["name": .string("\(number) later")])
            try use(root, child)
            done.wait()
            #expect(try root.proceed(save), "the save is over already")
            #expect(try saved().contains("\(number)"))
            if number > 1 { child.reset() }
            try child.save()
            try root.save()
        }
    }

    @Test func failedWritingKeepsEverythingPending() throws {
        struct Failure: Error {}
        try child.make("Tag", ["name": "a"])
        try child.save()
        let save = try begin()
        save.write { throw Failure() }
        #expect(throws: Failure.self) { try root.proceed(save) }
        #expect(throws: Failure.self) { try root.proceed(save) }
        #expect(root.hasChanges)
        #expect(try saved() == [])
        let again = try begin()
        again.write()
        #expect(try root.proceed(again))
        #expect(try saved() == ["a"])
    }

    @Test func plansGivenToSomebodyElseStayPending() throws {
        try child.make("Tag", ["name": "a"])
        try child.save()
        let save = try begin()
        var count = 0
        save.give { plans in count = plans.reduce(0) { $0 + $1.plan.count } }
        #expect(throws: DetachedSave.NothingSaved.self) { try root.proceed(save) }
        #expect(count == 1 && root.hasChanges)
        try root.save()
        #expect(try saved() == ["a"])
    }

    @Test func conflictIsDecidedByThePolicyAndWrittenAgain() throws {
        let tag = try root.make("Tag", ["name": "old"])
        try root.save()
        let other = container.newContext()
        func changeElsewhere(_ name: String) throws {
            let same = try other.existingObject(with: tag.objectID)
            other.refresh(same, mergeChanges: false)
            same["name"] = .string(name)
            try other.save()
        }
        root.mergePolicy = .mergeByPropertyObjectTrump
        tag["name"] = "mine"
        try changeElsewhere("theirs")
        var save = try begin()
        try write(save)
        #expect(try !root.proceed(save))
        try write(save)
        #expect(try root.proceed(save))
        #expect(try saved() == ["mine"])
        root.mergePolicy = .error
        tag["name"] = "mine again"
        try changeElsewhere("theirs again")
        save = try begin()
        try write(save)
        #expect(failure { _ = try root.proceed(save) }?.code == .mergeConflict)
        #expect(root.hasChanges)
        #expect(try saved() == ["theirs again"])
    }

    @Test func savesOfOthersWaitUntilTheWritingIsOver() throws {
        let tag = try root.make("Tag", ["name": "old"])
        try root.save()
        root.automaticallyMergesChangesFromParent = true
        let mine = try root.make("Tag", ["name": "mine"])
        let save = try begin()
        let other = container.newContext()
        try write(save) {
            try other.existingObject(with: tag.objectID)["name"] = "theirs"
            try other.save()
            root.processPendingChanges()
            #expect(tag["name"] == "old")
        }
        #expect(try root.proceed(save))
        #expect(tag["name"] == "theirs" && mine["name"] == "mine")
    }

    @Test func childThatHoldsWhatTheParentDoesNotIsToldOfOthersSaves() throws {
        root.automaticallyMergesChangesFromParent = true
        child.automaticallyMergesChangesFromParent = true
        let other = container.newContext()
        let theirs = try other.make("Tag", ["name": "old"])
        let gone = try other.make("Tag", ["name": "gone"])
        try other.save()
        let tag = try child.existingObject(with: theirs.objectID)
        let lost = try child.existingObject(with: gone.objectID)
        #expect(root.registeredObject(for: tag.objectID) == nil)
        theirs["name"] = "new"
        other.delete(gone)
        try other.save()
        root.processPendingChanges()
        #expect(tag["name"] == "new" && lost.isDeleted)
    }

    /// The result does not depend on which thread writes, nor on what happens meanwhile.
    @Test(arguments: SeededRandom.seeds(12))
    func randomEditsEndLikeOrdinarySaves(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var expected: [String: Int64] = [:]
        func edit() throws {
            for _ in 0..<random.below(6) {
                let name = "n\(random.below(12))"
                let age = Int64(random.below(100))
                let known = try child.all("Employee", "name == '\(name)'").first
                if let known, random.chance(3) {
                    child.delete(known)
                    expected[name] = nil
                } else {
                    let object = try known ?? child.make("Employee", ["name": .string(name)])
                    object["age"] = .int(age)
                    expected[name] = age
                }
            }
        }
        for _ in 0..<25 {
            try edit()
            try child.save()
            guard let save = try root.beginDetachedSave(TransactionInfo()) else { continue }
            if random.chance(2) {
                try write(save, edit)
            } else {
                // At any moment of the writing.
                let done = Completion()
                writer.later {
                    save.write()
                    done.signal()
                }
                try edit()
                done.wait()
            }
            if random.chance(2) { try child.save() }
            while try !root.proceed(save) { try write(save) }
        }
        try child.save()
        try root.save()
        let context = container.newContext()
        let all = try context.all("Employee")
        let found = all.map { "\(String(value: $0["name"]) ?? "") \(Int64(value: $0["age"]) ?? 0)" }
        #expect(found.sorted() == expected.map { "\($0.key) \($0.value)" }.sorted())
    }
}

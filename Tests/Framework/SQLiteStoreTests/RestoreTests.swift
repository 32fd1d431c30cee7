import Foundation
import ObjectModel
import ObjectStore
import SQLiteStore
import SeededRandom
import Testing

/// Copies that are put in the place of a store, in any order of copying and deleting, while its log
/// lies there or another has it open: the result is never damaged, and never silently the old log.
///
/// `DOCKET_SEEDS` asks for more seeds; each makes one store and goes through some restorations.
@Suite struct RestoreTests {
    enum Deed: CaseIterable {
        case copyInto
        case copyKeepingTimes
        case replace
        case removeStore
        case removeLog
        case removeIndex
    }

    /// What a state of the store holds.
    private func titles(_ session: TestSession) throws -> Set<String> {
        let ids = try session.fetch(FetchDescription(entityName: "Task")).ids
        return Set(
            try ids.map { id in
                guard case .string(let title) = try session.value(id, "title") else { return "" }
                return title
            }
        )
    }

    /// A store at work: copies of some of its states at rest, and a log that is not moved.
    private final class Scene {
        let folder: TestFolder
        let model = TestModel.make()
        var copies: [(path: String, titles: Set<String>)] = []
        var titles: Set<String> = []
        private var serial = 0
        var path: String { folder.file().path }

        init() throws { folder = try TestFolder() }

        func open() throws -> TestSession {
            TestSession(try SQLiteStore(url: folder.file(), model: model), model)
        }

        func add(_ session: TestSession, _ count: Int) throws {
            for _ in 0..<count {
                serial += 1
                let title = "\(serial) \(UUID().uuidString)"
                session.insert("Task", ["title": .string(title)])
                try session.save()
                titles.insert(title)
            }
        }

        func copy() throws {
            let copy = folder.file("copy\(copies.count)").path
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            copies.append((copy, titles))
        }
    }

    private func makeScene(_ random: inout SeededRandom) throws -> (Scene, TestSession) {
        let scene = try Scene()
        for _ in 0..<3 {
            let session = try scene.open()
            try scene.add(session, 1 + random.below(3))
            session.store.close()
            try scene.copy()
        }
        // A copy that went its own way.
        let own = try SQLiteStore(
            url: URL(fileURLWithPath: scene.copies[0].path),
            model: scene.model
        )
        let session = TestSession(own, scene.model)
        session.insert("Task", ["title": "of the copy"])
        try session.save()
        own.close()
        scene.copies[0].titles.insert("of the copy")
        let user = try scene.open()
        try scene.add(user, 1 + random.below(4))
        if random.chance(3) {
            try user.store.checkpoint()
            try scene.copy()
            if random.chance(2) { try scene.add(user, 1 + random.below(3)) }
        }
        return (scene, user)
    }

    /// As a killed process leaves it: its files, copied in the order in which they were written.
    private func leaveAsKilled(_ scene: Scene, _ user: TestSession) throws {
        var files: [(String, Data)] = []
        for suffix in ["", "-shm", "-wal"] {
            files.append((suffix, try Data(contentsOf: URL(fileURLWithPath: scene.path + suffix))))
        }
        for (suffix, _) in files { unlink(scene.path + suffix) }
        user.store.close()
        for (suffix, data) in files {
            try data.write(to: URL(fileURLWithPath: scene.path + suffix))
        }
    }

    /// - Returns: What the store has to hold after it; `nil` if nothing is at its place.
    private func `do`(
        _ deed: Deed,
        _ copy: (path: String, titles: Set<String>),
        _ path: String
    ) throws -> Set<String>?? {
        TestFolder.waitUntilLater(than: path + "-wal", beside: path)
        switch deed {
        case .copyInto:
            #expect(try shell("cp", copy.path, path) == 0)
            return copy.titles
        case .copyKeepingTimes:
            #expect(try shell("cp", "-p", copy.path, path) == 0)
            return copy.titles
        case .replace:
            #expect(try shell("cp", copy.path, path + ".part") == 0)
            #expect(rename(path + ".part", path) == 0)
            return copy.titles
        case .removeStore:
            unlink(path)
            return .some(nil)
        case .removeLog:
            unlink(path + "-wal")
            return nil
        case .removeIndex:
            unlink(path + "-shm")
            return nil
        }
    }

    private func shell(_ words: String...) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test(arguments: SeededRandom.seeds(12))
    func restoringOverAKilledProcessesLogGivesTheCopy(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<4 {
            let (scene, user) = try makeScene(&random)
            let hasLog = user.store.logSize > 0
            try leaveAsKilled(scene, user)
            var expected: Set<String>? = scene.titles
            var isRestored = false
            var deeds: [Deed] = []
            for _ in 0..<(1 + random.below(4)) {
                let deed = random.pick(Deed.allCases)
                deeds.append(deed)
                let copy = random.pick(scene.copies)
                if case .some(let now) = try `do`(deed, copy, scene.path) {
                    expected = now
                    isRestored = true
                }
            }
            let place = "seed \(seed): \(deeds)"
            let logIsThere =
                hasLog && FileManager.default.fileExists(atPath: scene.path + "-wal")
            let session = try scene.open()
            let found = try titles(session)
            if isRestored {
                #expect(found == expected ?? [], "\(place)")
                let notices = session.store.notices
                #expect(notices.count == (logIsThere ? 1 : 0), "\(place): \(notices)")
            } else if logIsThere || !hasLog {
                #expect(found == scene.titles, "\(place)")
                #expect(session.store.notices.isEmpty, "\(place): \(session.store.notices)")
            } else {
                #expect(found.isSubset(of: scene.titles), "\(place)")
            }
            try scene.add(session, 1)
            session.store.close()
            #expect(try RawDatabase(scene.folder.file()).integrity == "ok", "\(place)")
            #expect(!FileManager.default.fileExists(atPath: scene.path + "-wal"), "\(place)")
        }
    }

    @Test(arguments: SeededRandom.seeds(12))
    func restoringUnderAnotherThatHasItOpenIsToldByBoth(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<3 {
            let (scene, user) = try makeScene(&random)
            var expected: Set<String>? = scene.titles
            var deeds: [Deed] = []
            for _ in 0..<(1 + random.below(3)) {
                let deed = random.pick(Deed.allCases)
                deeds.append(deed)
                let copy = random.pick(scene.copies)
                if case .some(let now) = try `do`(deed, copy, scene.path) { expected = now }
            }
            let isRestored = deeds.contains {
                $0 != .removeLog && $0 != .removeIndex
            }
            let place = "seed \(seed): \(deeds)"
            // Who has it open notices before it writes, sooner or later than another opens.
            let noticesFirst = random.chance(2)
            // A copy of the very state that the user has takes nothing away when it is laid over it.
            let isSame = isRestored && expected == scene.titles
            func useWhatIsLost() throws {
                user.insert("Task", ["title": "into the void"])
                do {
                    try user.save()
                    #expect(isSame, "\(place)")
                    expected?.insert("into the void")
                } catch let error as ObjectGraphError {
                    #expect(error.code == .storeReplaced, "\(place): \(error)")
                    user.rollback()
                }
            }
            if noticesFirst { try useWhatIsLost() }
            do {
                let session = try scene.open()
                if isRestored {
                    #expect(try titles(session) == expected ?? [], "\(place)")
                } else {
                    #expect(try titles(session).isSubset(of: scene.titles), "\(place)")
                }
                expected = try titles(session)
                try scene.add(session, 1)
                expected = try titles(session)
                session.store.close()
            } catch let error as ObjectGraphError {
                #expect(error.code == .storeReplaced, "\(place): \(error)")
            }
            try useWhatIsLost()
            user.store.close()
            let last = try scene.open()
            if isRestored { #expect(try titles(last) == expected ?? [], "\(place)") }
            try scene.add(last, 1)
            last.store.close()
            #expect(try RawDatabase(scene.folder.file()).integrity == "ok", "\(place)")
            #expect(!FileManager.default.fileExists(atPath: scene.path + "-wal"), "\(place)")
        }
    }

    /// The log is then that of the copy, and belongs to the file as it is.
    @Test func copyThatSomebodyElseHasGoneOnWithIsNotTakenForOurs() throws {
        let scene = try Scene()
        let first = try scene.open()
        try scene.add(first, 1)
        first.store.close()
        try scene.copy()
        let user = try scene.open()
        try scene.add(user, 3)
        try user.store.checkpoint()
        TestFolder.waitUntilLater(than: scene.path + "-wal", beside: scene.path)
        #expect(try shell("cp", scene.copies[0].path, scene.path) == 0)
        let other = try scene.open()
        #expect(try titles(other) == scene.copies[0].titles)
        try scene.add(other, 1)
        user.insert("Task", ["title": "into the copy"])
        let error = #expect(throws: ObjectGraphError.self) { try user.save() }
        #expect(error?.code == .storeReplaced)
        user.store.close()
        #expect(try titles(other).count == 2)
        other.store.close()
        #expect(try RawDatabase(scene.folder.file()).integrity == "ok")
    }
}

import Foundation
import ObjectContext
import ObjectModel
import ObjectStore
import Testing

/// Two processes that change different properties of one object, each as fast as it can.
///
/// `OBJECTGRAPH_SAVES` (default 300) says how often each saves.
@Suite("Lost updates", .serialized)
struct LostUpdateTests {
    private static var saves: Int {
        ProcessInfo.processInfo.environment["OBJECTGRAPH_SAVES"].flatMap { Int($0) } ?? 300
    }

    @Test func twoProcessesThatChangeDifferentPropertiesOfOneObjectLoseNothing() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "updates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path
        let coordinator = try FollowingWorker.coordinator(in: path)
        let setup = ManagedObjectContext(coordinator: coordinator)
        try setup.make("Employee", ["name": "shared", "salary": 0.0, "age": 0])
        try setup.save()
        let saves = Self.saves
        // Neither begins before the other is there.
        async let first: Void = Self.process(path, "salary", beside: "age", saves)
        async let second: Void = Self.process(path, "age", beside: "salary", saves)
        _ = try await (first, second)
        let fresh = ManagedObjectContext(coordinator: try FollowingWorker.coordinator(in: path))
        let object = try #require(try fresh.all("Employee", "name == 'shared'").first)
        #expect(object["salary"] == .double(Double(saves)))
        #expect(object["age"] == .int(Int64(saves)))
        print("lost updates: 2 processes, \(saves) saves each, none lost")
    }

    private static func process(
        _ path: String,
        _ key: String,
        beside other: String,
        _ saves: Int
    ) async throws {
        await #expect(processExitsWith: .success) { [path, key, other, saves] in
            let coordinator = try FollowingWorker.coordinator(in: path)
            let context = ManagedObjectContext(coordinator: coordinator)
            context.mergePolicy = .mergeByPropertyObjectTrump
            let object = try #require(try context.all("Employee", "name == 'shared'").first)
            try Data().write(to: URL(filePath: "\(path)/\(key)"))
            while !FileManager.default.fileExists(atPath: "\(path)/\(other)") {
                await _Concurrency.Task.yield()
            }
            var conflicts = 0
            for number in 1...saves {
                // The value is what this process itself has written last.
                let value = object[key]
                if key == "age" {
                    #expect(value == .int(Int64(number - 1)))
                    object[key] = .int(Int64(number))
                } else {
                    #expect(value == .double(Double(number - 1)))
                    object[key] = .double(Double(number))
                }
                let before = object[other]
                try context.save()
                if object[other] != before { conflicts += 1 }
            }
            print("\(key): the other's value was merged in \(conflicts) of \(saves) saves")
        }
    }
}

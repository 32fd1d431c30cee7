import Foundation
import ObjectGraph
import Testing

/// A process that looks at a store which it has open keeps its lock.
///
/// The system drops all locks of a process on a file when the process closes any descriptor of it.
/// Another process would then take the store for closed, and remove its log.
@Suite struct KeptLockTests {
    /// The locks of this process on a file.
    private func locks(_ url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        let file = try #require(attributes[.systemFileNumber] as? Int)
        // The list of all locks can miss some while other processes take and drop theirs.
        let descriptors = "/proc/self/fdinfo"
        var locks: Set<String> = []
        for name in try FileManager.default.contentsOfDirectory(atPath: descriptors) {
            // It may be closed meanwhile.
            let path = "\(descriptors)/\(name)"
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            for line in text.split(separator: "\n") where line.hasPrefix("lock:") {
                // A lock of the process is in the text of each of its descriptors of the file.
                if line.contains(":\(file) ") {
                    locks.insert(line.split(separator: " ").dropFirst().joined(separator: " "))
                }
            }
        }
        return locks.count
    }

    @Test func lookingAtAnOpenStoreKeepsItsLock() throws {
        let folder = try TestFolder()
        let url = folder.file("open.sqlite")
        let model = Shop.model { _ in }
        let options = Shop.options(.sqlite)
        let container = try PersistentContainer(model: model, url: url, options: options)
        try Shop.fill(container.viewContext)
        let before = try locks(url)
        try #require(before > 0)

        #expect(PersistentStoreCoordinator.storeType(at: url) == .sqlite)
        #expect(try locks(url) == before, "its type")
        _ = try PersistentStoreCoordinator.metadata(ofStoreAt: url)
        #expect(try locks(url) == before, "its metadata")
        let second = try PersistentContainer(model: model, url: url, options: options)
        _ = try Shop.dump(second.viewContext)
        second.close()
        #expect(try locks(url) == before, "another container")
        let copy = folder.file("copy.sqlite")
        try PersistentStoreCoordinator.replaceStore(at: copy, with: url)
        #expect(try locks(url) == before, "a copy")
        _ = try container.coordinator.inspect(container.coordinator.persistentStores[0])
        #expect(try locks(url) == before, "an inspection")
        let files = [url.path, url.path + "-shm"]
        for file in files { #expect(PersistentStoreCoordinator.isOpenHere(file)) }
        #expect(!PersistentStoreCoordinator.isOpenHere(copy.path))
        container.close()
        #expect(try locks(url) == 0)
        for file in files { #expect(!PersistentStoreCoordinator.isOpenHere(file)) }
    }
}

package import FoundationEssentials

/// A folder in memory, where there is one: a sync of a file costs nothing there.
package final class ScratchFolder {
    package let url: URL

    package init() throws {
        let memory = URL(filePath: "/dev/shm")
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        let place = isThere ? memory : FileManager.default.temporaryDirectory
        url = place.appending(path: "object-sync-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

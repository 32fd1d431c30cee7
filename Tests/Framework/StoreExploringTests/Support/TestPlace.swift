import Foundation

/// A folder that is removed at the end of the test.
final class TestPlace {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "inspection-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func file(_ name: String = "store.sqlite") -> URL { folder.appending(path: name) }

    /// The names, sizes and times of all files in the folder, and their bytes.
    func state() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            let path = folder.appending(path: name).path
            let facts = try FileManager.default.attributesOfItem(atPath: path)
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            let time = (facts[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
            return "\(name) \(data.count) \(time) \(data.hashValue)"
        }
    }
}

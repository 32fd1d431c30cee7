import Foundation

/// A folder of a test's own, removed with the value that holds it.
final class TestFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "encryption-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ data: Data, to name: String) throws {
        try data.write(to: URL(filePath: file(name)))
    }

    func read(_ name: String) throws -> Data {
        try Data(contentsOf: URL(filePath: file(name)))
    }
}

import Foundation

/// The folder of cases from elsewhere, where it is at hand.
func casesFolder() -> URL? {
    if let path = ProcessInfo.processInfo.environment["DOCKET_CASES"] {
        return URL(fileURLWithPath: path)
    }
    let folder = packageRoot.appending(path: "../shared/cases").standardizedFileURL
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
}

/// The root of this package.
let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// A new empty folder, removed by `body`'s end.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

import CaseFiles
import Foundation
import ObjectModel
import ObjectModelFile
import Testing

/// The models of the cases, all but those in the binary form of old editors.
func modelsOfTheCases() throws -> [ModelPackage] {
    let folder = CaseFiles.folder.appending(path: "models")
    let packages = try ModelPackage.models(inFolder: folder.path).compactMap { path in
        do {
            return try ModelPackage(contentsOf: path)
        } catch let error as ObjectGraphError where error.description.contains("binary form") {
            return nil
        }
    }
    #expect(!packages.isEmpty)
    return packages
}

/// The root of this package.
let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appending(path: "../../..").standardizedFileURL

/// A new empty folder, removed by `body`'s end.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

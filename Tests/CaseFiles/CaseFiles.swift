package import FoundationEssentials

/// The folder with cases from elsewhere.
///
/// It is named by `DOCKET_CASES`, else it is `../shared/cases` beside the package. It is not part
/// of the project and may be absent.
package enum CaseFiles {
    package static var folder: URL {
        if let path = ProcessInfo.processInfo.environment["DOCKET_CASES"], !path.isEmpty {
            return URL(fileURLWithPath: path)
        }
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        return root.deletingLastPathComponent().appendingPathComponent("shared/cases")
    }

    /// The content of a file, or `nil` after saying that its cases are skipped.
    package static func read(_ name: String) throws -> JSON? {
        let file = folder.appendingPathComponent(name)
        guard FileManager.default.fileExists(atPath: file.path) else {
            print("conformance \(name) skipped: there is no \(file.path)")
            return nil
        }
        return try JSONDecoder().decode(JSON.self, from: Data(contentsOf: file))
    }
}

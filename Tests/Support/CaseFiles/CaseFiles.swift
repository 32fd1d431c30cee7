package import FoundationEssentials

/// The folder with cases from elsewhere.
///
/// It is named by `DOCKET_CASES`, else it is `../shared/cases` beside the package. It is not part
/// of the project and may be absent: a test that reads it has the trait
/// `.enabled(if: CaseFiles.has("…"), "there is no …")`.
package enum CaseFiles {
    package static var folder: URL {
        if let path = ProcessInfo.processInfo.environment["DOCKET_CASES"], !path.isEmpty {
            return URL(fileURLWithPath: path)
        }
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return root.deletingLastPathComponent().appendingPathComponent("shared/cases")
    }

    /// Whether a file, or a folder, is there.
    package static func has(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
    }

    /// The content of a file.
    package static func read(_ name: String) throws -> JSON {
        try JSONDecoder().decode(JSON.self, from: data(name))
    }

    /// The bytes of a file.
    package static func data(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent(name))
    }
}

import DocketCore
import FoundationEssentials

/// A text in a temporary file of the user's own, for an editor.
struct EditorFile {
    let text: String
    let suffix: String

    /// Lets an editor change the text.
    ///
    /// The file is removed afterwards, unless the editor failed: then its path is in the error.
    /// - Throws: when the file cannot be written, or the editor did not end well.
    func edit(_ run: (String) throws -> Int32) throws -> String {
        let folder = FileManager.default.temporaryDirectory
        let url = folder.appending(path: "docket-\(UUID().uuidString)\(suffix)")
        let bytes = Data(text.utf8)
        guard
            FileManager.default.createFile(
                atPath: url.path,
                contents: bytes,
                attributes: [.posixPermissions: 0o600]
            )
        else {
            throw InputError(
                .malformed,
                "The text cannot be written to \(url.path) for the editor."
            )
        }
        let status = try run(url.path)
        guard status == 0 else {
            throw InputError(
                .malformed,
                "The editor ended with \(status); nothing was changed, the text is in \(url.path)."
            )
        }
        let edited = try Data(contentsOf: url)
        try? FileManager.default.removeItem(at: url)
        var result = CaptureText.clean(Array(edited))
        // Editors end a file with a line end, which is no part of the text.
        if result.last == 10, !text.hasSuffix("\n") { result.removeLast() }
        return String(decoding: result, as: UTF8.self)
    }
}

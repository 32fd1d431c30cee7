import DocketCore
import DocketFormats
import FoundationEssentials

/// A text in a private temporary file, for an editor.
struct EditorFile {
    let text: String
    let suffix: String

    /// Lets an editor change the text, then passes it on.
    ///
    /// The file is removed when the text has been applied. Until then it is the only copy of the
    /// edited text: if the editor fails, or `apply` throws, its path is in the error.
    ///
    /// - Throws: if the file cannot be written, if the editor fails, or if `apply` throws.
    func edit(
        _ run: (String) throws -> Int32,
        then apply: (String) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory
        let url = folder.appending(path: "docket-\(UUID().uuidString)\(suffix)")
        guard
            FileManager.default.createFile(
                atPath: url.path,
                contents: Data(text.utf8),
                attributes: [.posixPermissions: 0o600]
            )
        else {
            throw InputError(
                .malformed,
                "The text cannot be written to \(url.path) for the editor."
            )
        }
        let status: Int32
        do {
            status = try run(url.path)
        } catch {
            try? FileManager.default.removeItem(at: url)
            throw error
        }
        guard let bytes = try? Data(contentsOf: url) else {
            throw InputError(
                .malformed,
                "The editor left no file at \(url.path); nothing was changed."
            )
        }
        let edited = text(of: bytes)
        guard status == 0 else {
            let reason = localized("The editor ended with \(status); nothing was changed.")
            throw failure(reason, edited, at: url)
        }
        do {
            try apply(edited)
        } catch {
            throw failure((error as? InputError)?.message ?? "\(error)", edited, at: url)
        }
        try? FileManager.default.removeItem(at: url)
    }

    private func text(of bytes: Data) -> String {
        var result = CaptureText.clean(Array(bytes))
        // Editors end a file with a line end, which does not belong to the text.
        if result.last == 10, !text.hasSuffix("\n") { result.removeLast() }
        return String(decoding: result, as: UTF8.self)
    }

    /// The path is on a separate line, so that it can be copied.
    private func failure(_ reason: String, _ edited: String, at url: URL) -> InputError {
        if edited == text {
            try? FileManager.default.removeItem(at: url)
            return InputError(.malformed, "\(reason)")
        }
        return InputError(.malformed, "\(reason) Your text is in\n\(url.path)")
    }
}

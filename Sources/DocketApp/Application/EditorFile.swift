import DocketCore
import FoundationEssentials

/// A text in a temporary file of the user's own, for an editor.
struct EditorFile {
    let text: String
    let suffix: String

    /// Lets an editor change the text, then hands it over.
    ///
    /// The file is removed once the text is where it belongs. Until then it is the only place of what
    /// was typed: if the editor failed, or the text was not taken, its path is in the error.
    /// - Throws: when the file cannot be written, the editor did not end well, or `apply` threw.
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
            let reason = "The editor ended with \(status); nothing was changed."
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
        // Editors end a file with a line end, which is no part of the text.
        if result.last == 10, !text.hasSuffix("\n") { result.removeLast() }
        return String(decoding: result, as: UTF8.self)
    }

    /// The path stands on a line of its own, so that it can be copied.
    private func failure(_ reason: String, _ edited: String, at url: URL) -> InputError {
        if edited == text {
            try? FileManager.default.removeItem(at: url)
            return InputError(.malformed, reason)
        }
        return InputError(.malformed, "\(reason) Your text is in\n\(url.path)")
    }
}

import FoundationEssentials
import ObjectGraph

/// A document as it was read: its values, and why there is no text.
struct DocumentReading {
    var status: FolderDisk.Status
    var head = DocumentHead([])
    var text = ""
    /// Why the text is not there, one sentence; `nil` if it is.
    var problem: String?

    /// The greatest size of a text that is read.
    static let largest = 4 << 20

    /// Reads the title and the tags of a document.
    ///
    /// - Returns: `nil` if the file does not exist.
    /// - Throws: an error of the disk. A file that may not be read has a ``problem``.
    static func head(_ path: EntryPath, on disk: FolderDisk) throws -> DocumentReading? {
        try read(path, on: disk, limit: DocumentHead.size) {
            disk.noteHead()
        } decode: { content, bytes, isWhole in
            // The end of what was read may be inside a character.
            content.head = DocumentHead(decoded(bytes, isWhole: isWhole) ?? [])
        }
    }

    /// Reads the whole text of a document.
    ///
    /// - Returns: `nil` if the file does not exist.
    /// - Throws: an error of the disk. A file that may not be read, is too large or no text has a
    ///   ``problem``.
    static func text(_ path: EntryPath, on disk: FolderDisk) throws -> DocumentReading? {
        try read(path, on: disk, limit: largest + 1) {
            disk.noteText()
        } decode: { content, bytes, _ in
            if bytes.count > largest {
                content.problem = tooLarge(path.name, content.status.size)
            } else if let text = decoded(bytes, isWhole: true) {
                content.text = String(decoding: text, as: UTF8.self)
            } else {
                content.problem =
                    "The file \"\(path.name)\" is not a text in UTF-8, so it is not shown."
            }
        }
    }

    private static func read(
        _ path: EntryPath,
        on disk: FolderDisk,
        limit: Int,
        note: () -> Void,
        decode: (inout DocumentReading, [UInt8], _ isWhole: Bool) -> Void
    ) throws -> DocumentReading? {
        let name = path.name
        do throws(FolderDisk.Failure) {
            let status = try disk.status(path)
            var content = DocumentReading(status: status)
            if !status.isFile {
                content.problem = "\"\(name)\" is not an ordinary file, so it is not read."
                return content
            }
            if limit > DocumentHead.size, status.size > largest {
                content.problem = tooLarge(name, status.size)
                return content
            }
            note()
            var limit = limit
            var (opened, bytes) = try disk.beginning(of: path, limit: limit)
            if bytes.count == limit, limit == DocumentHead.size,
                FrontMatter.isOpen(withoutMark(bytes))
            {
                limit = DocumentHead.largest
                (opened, bytes) = try disk.beginning(of: path, limit: limit)
            }
            content.status = opened
            decode(&content, bytes, bytes.count < limit)
            return content
        } catch {
            if error.isMissing { return nil }
            guard error.isForbidden, let status = try? disk.status(path) else {
                throw error.described("The file \"\(name)\"")
            }
            var content = DocumentReading(status: status)
            content.problem = "You may not read the file \"\(name)\"."
            return content
        }
    }

    private static func tooLarge(_ name: String, _ size: Int64) -> String {
        "The file \"\(name)\" has \(megabytes(size)) MB; texts of up to"
            + " \(largest >> 20) MB are shown."
    }

    private static func megabytes(_ size: Int64) -> String {
        let tenths = (size * 10 + (1 << 19)) >> 20
        return tenths >= 100 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    private static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    }

    /// The bytes of a text, without a byte order mark.
    ///
    /// - Returns: `nil` for bytes that are not UTF-8, or contain a zero, as programs and pictures
    ///   do.
    private static func decoded(_ bytes: [UInt8], isWhole: Bool) -> ArraySlice<UInt8>? {
        if bytes.contains(0) { return nil }
        let bytes = withoutMark(bytes)
        if String(validating: bytes, as: UTF8.self) != nil { return bytes }
        if isWhole { return nil }
        for cut in 1...3 where bytes.count > cut {
            let part = bytes.dropLast(cut)
            if String(validating: part, as: UTF8.self) != nil { return part }
        }
        return nil
    }
}

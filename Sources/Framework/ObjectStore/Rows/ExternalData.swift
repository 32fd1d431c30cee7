package import FoundationEssentials
package import ObjectModel

/// Large data of attributes with external storage.
///
/// The column holds a mark and then the data itself, or the name of a file in a folder beside the
/// store: `.<store>_SUPPORT/_EXTERNAL_DATA`, as in Core Data.
package enum ExternalData {
    /// Data of more bytes than this go to a file.
    package static let inlineLimit = 128 * 1024

    private static let inlineMark: UInt8 = 1
    private static let fileMark: UInt8 = 2

    /// The bytes of the column for data that stay in it.
    package static func inline(_ data: Data) -> Data { Data([inlineMark]) + data }

    /// The bytes of the column for data in a file.
    package static func reference(_ name: String) -> Data {
        Data([fileMark]) + Data(name.utf8) + Data([0])
    }

    /// The name of the file that a column refers to, or `nil`.
    package static func fileName(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.first == fileMark, bytes.count > 1 else { return nil }
        let name = bytes.dropFirst().prefix { $0 != 0 && $0 != UInt8(ascii: "/") }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    /// The data of a column; `nil` if their file is missing.
    ///
    /// A file is memory-mapped, so that only the parts in use are read.
    package static func value(_ bytes: UnsafeRawBufferPointer, in folder: String) -> GraphValue {
        if let name = fileName(bytes) {
            let url = URL(filePath: folder).appending(path: name)
            return (try? Data(contentsOf: url, options: .mappedIfSafe)).map { .data($0) } ?? .null
        }
        // Without a mark: the history writes `nil` in this way.
        if bytes.isEmpty { return .null }
        if bytes.first == inlineMark { return .data(Data(bytes.dropFirst())) }
        return .data(Data(bytes))
    }
}

import Encryption
import FoundationEssentials
import ObjectModel

/// The bytes of a value before encryption: a byte for the kind, the content, a byte 0x80, and zeros up
/// to a multiple of 32.
///
/// Text and data are their own content; everything else is a property list. The buffers are zeroed
/// after use.
enum PlainValue {
    private enum Kind: UInt8 {
        case text = 1
        case data = 2
        case propertyList = 3
    }

    private static let block = 32
    private static let lists = ValueTransformers.named(nil)

    static func withBytes<Result>(
        of value: GraphValue,
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        switch value {
        case .string(var text):
            return try text.withUTF8 { try pad(.text, UnsafeRawBufferPointer($0), body) }
        case .data(let data):
            return try data.withUnsafeBytes { try pad(.data, $0, body) }
        default:
            let data = try lists?.data(for: value) ?? Data()
            return try data.withUnsafeBytes { try pad(.propertyList, $0, body) }
        }
    }

    private static func pad<Result>(
        _ kind: Kind,
        _ content: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        let size = (content.count + 2 + block - 1) / block * block
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
        defer {
            buffer.zero()
            buffer.deallocate()
        }
        buffer[0] = kind.rawValue
        UnsafeMutableRawBufferPointer(rebasing: buffer[1...]).copyMemory(from: content)
        buffer[1 + content.count] = 0x80
        return try body(UnsafeRawBufferPointer(buffer))
    }

    /// The value of authenticated bytes.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/unreadableValue`` for a form
    ///   that a newer version has written.
    static func value(of bytes: UnsafeRawBufferPointer) throws -> GraphValue {
        guard let end = bytes.lastIndex(where: { $0 != 0 }), end >= 1, bytes[end] == 0x80,
            let kind = Kind(rawValue: bytes[0])
        else {
            throw ObjectGraphError(
                .unreadableValue,
                "The encrypted value has a form that this version does not know.",
                recovery: "Update the program."
            )
        }
        let content = UnsafeRawBufferPointer(rebasing: bytes[1..<end])
        switch kind {
        case .text: return .string(String(decoding: content, as: UTF8.self))
        case .data: return .data(Data(content))
        case .propertyList: return try lists?.value(for: Data(content)) ?? .null
        }
    }
}

public import FoundationEssentials
import Glibc

/// Where bytes come from, piece by piece.
public protocol ByteInput {
    /// Reads some bytes, at least one; 0 at the end.
    ///
    /// - Throws: if the bytes cannot be read.
    mutating func read(into target: UnsafeMutableRawBufferPointer) throws -> Int
}

/// Where bytes go.
public protocol ByteSink {
    /// Writes all of the bytes.
    ///
    /// - Throws: if they cannot be written.
    mutating func write(_ bytes: UnsafeRawBufferPointer) throws
}

/// Bytes in memory as a source.
public struct DataSource: ByteInput {
    private var rest: Data.SubSequence

    public init(_ data: Data) { rest = data[...] }

    public mutating func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        let piece = rest.prefix(target.count)
        piece.copyBytes(to: target)
        rest = rest.dropFirst(piece.count)
        return piece.count
    }
}

/// A sink that keeps everything in memory.
public final class DataSink: ByteSink {
    public private(set) var data = Data()

    public init() {}

    public func write(_ bytes: UnsafeRawBufferPointer) {
        data.append(contentsOf: bytes)
    }
}

/// An open file or pipe; it stays open.
public struct DescriptorStream: ByteInput, ByteSink {
    private let descriptor: Int32

    public init(_ descriptor: Int32) { self.descriptor = descriptor }

    public func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            let count = Glibc.read(descriptor, target.baseAddress, target.count)
            if count >= 0 { return count }
            if errno != EINTR { throw failure("read") }
        }
    }

    public func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(descriptor, piece.baseAddress, piece.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw failure("written")
            }
        }
    }

    private func failure(_ verb: String) -> EncryptionError {
        EncryptionError(.file, "The file cannot be \(verb): \(String(cString: strerror(errno))).")
    }
}

/// A source with lookahead and lines; it holds one piece in memory at a time.
struct BufferedSource {
    private var source: any ByteInput
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var start = 0
    private var end = 0

    init(_ source: any ByteInput) { self.source = source }

    /// The next byte, which stays; `nil` at the end.
    mutating func peek() throws -> UInt8? {
        if start == end {
            start = 0
            end = try buffer.withUnsafeMutableBytes { try source.read(into: $0) }
        }
        return start == end ? nil : buffer[start]
    }

    mutating func next() throws -> UInt8? {
        guard let byte = try peek() else { return nil }
        start += 1
        return byte
    }

    /// Fills the target as far as there are bytes, and returns how many there were.
    mutating func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
        var filled = 0
        while filled < target.count, try peek() != nil {
            let count = min(end - start, target.count - filled)
            buffer.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: target[filled...])
                    .copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
                    )
            }
            start += count
            filled += count
        }
        return filled
    }

    /// The bytes before the next line feed, which is left out; `nil` if there is none within the
    /// limit.
    mutating func line(limit: Int) throws -> [UInt8]? {
        var line: [UInt8] = []
        while let byte = try next() {
            if byte == UInt8(ascii: "\n") { return line }
            if line.count == limit { return nil }
            line.append(byte)
        }
        return nil
    }
}

/// Memory for plain text on its way; zeroed when it goes.
final class PlainBuffer {
    // Safety: freed with this object, which whoever uses the bytes holds.
    let bytes: UnsafeMutableRawBufferPointer

    init(count: Int) {
        bytes = .allocate(byteCount: count, alignment: 16)
    }

    deinit {
        bytes.zero()
        bytes.deallocate()
    }
}

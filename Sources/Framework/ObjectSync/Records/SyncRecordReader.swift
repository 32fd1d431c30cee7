import FoundationEssentials
import ObjectModel

/// Reads what ``SyncRecordWriter`` has written.
struct SyncRecordReader {
    private var rest: ArraySlice<UInt8>
    /// How deep sets and lists may be nested.
    private static let depthLimit = 16

    private init(_ data: Data) { rest = Array(data)[...] }

    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/damagedFile`` if the bytes are
    ///   not those of a record.
    static func record(_ data: Data) throws -> SyncRecord {
        var reader = SyncRecordReader(data)
        let key = SyncKey(entity: try reader.text(), name: try reader.text())
        let kind = try reader.text()
        guard case .date(let modified) = try reader.value() else { throw damaged }
        var record = SyncRecord(key, kind: kind, modified: modified)
        if case .data(let extra) = try reader.value() { record.extra = extra }
        for _ in 0..<(try reader.count()) {
            let property = try reader.text()
            record.values[property] = try reader.value()
            if case .date(let stamp) = try reader.value() { record.stamps[property] = stamp }
        }
        return record
    }

    /// - Throws: as ``record(_:)``.
    static func value(_ data: Data) throws -> SyncValue {
        var reader = SyncRecordReader(data)
        return try reader.value()
    }

    private mutating func text() throws -> String {
        guard case .string(let text) = try value() else { throw SyncRecordReader.damaged }
        return text
    }

    private mutating func value(depth: Int = 0) throws -> SyncValue {
        guard let byte = rest.popFirst(), let tag = SyncRecordTag(rawValue: byte),
            depth < SyncRecordReader.depthLimit
        else { throw SyncRecordReader.damaged }
        switch tag {
        case .null: return .null
        case .yes: return .bool(true)
        case .no: return .bool(false)
        case .int: return .int(Int64(bitPattern: try number()))
        case .double: return .double(Double(bitPattern: try number()))
        case .date:
            return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: try number())))
        case .decimal: return try read(Decimal(string: try content())) { .decimal($0) }
        case .string: return .string(try content())
        case .data: return .data(Data(try bytes()))
        case .uuid: return try read(UUID(uuidString: try content())) { .uuid($0) }
        case .url: return try read(URL(string: try content())) { .url($0) }
        case .reference: return .reference(try content())
        case .set, .list:
            var elements: [SyncValue] = []
            for _ in 0..<(try count()) { elements.append(try value(depth: depth + 1)) }
            return tag == .set ? .set(Set(elements)) : .list(elements)
        }
    }

    private func read<Value>(_ value: Value?, _ body: (Value) -> SyncValue) throws -> SyncValue {
        guard let value else { throw SyncRecordReader.damaged }
        return body(value)
    }

    private mutating func number() throws -> UInt64 {
        guard rest.count >= 8 else { throw SyncRecordReader.damaged }
        defer { rest = rest.dropFirst(8) }
        return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A number of bytes or elements, each of which has at least one byte.
    private mutating func count() throws -> Int {
        let number = try number()
        guard number <= UInt64(rest.count) else { throw SyncRecordReader.damaged }
        return Int(number)
    }

    private mutating func bytes() throws -> ArraySlice<UInt8> {
        let length = try count()
        defer { rest = rest.dropFirst(length) }
        return rest.prefix(length)
    }

    private mutating func content() throws -> String {
        String(decoding: try bytes(), as: UTF8.self)
    }

    private static var damaged: ObjectGraphError {
        ObjectGraphError(
            .damagedFile,
            "What was stored about the last exchange with a remote is not readable.",
            recovery: "Nothing was changed; forget the remote and synchronize again."
        )
    }
}

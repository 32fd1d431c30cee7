import FoundationEssentials

// The bytes of records, in which bases are stored: equal records have equal bytes. A value is a tag
// and its content; numbers have eight bytes, texts and data their length first; the elements of
// sets and the properties of records are sorted.

/// The first byte of a value.
enum SyncRecordTag: UInt8 {
    case null, yes, no, int, double, decimal, string, date, data, uuid, url, reference, set, list
}

/// Writes values and records.
struct SyncRecordWriter {
    private(set) var bytes: [UInt8] = []

    static func data(_ record: SyncRecord) -> Data {
        var writer = SyncRecordWriter()
        writer.append(record)
        return Data(writer.bytes)
    }

    static func data(_ value: SyncValue) -> Data {
        var writer = SyncRecordWriter()
        writer.append(value)
        return Data(writer.bytes)
    }

    private mutating func append(_ record: SyncRecord) {
        append(.string, Array(record.key.entity.utf8))
        append(.string, Array(record.key.name.utf8))
        append(.string, Array(record.kind.utf8))
        append(.date(record.modified))
        append(record.extra.map { .data($0) } ?? SyncValue.null)
        append(number: UInt64(record.values.count))
        for (key, value) in record.values.sorted(by: { $0.key < $1.key }) {
            append(.string, Array(key.utf8))
            append(value)
            append(record.stamps[key].map { .date($0) } ?? SyncValue.null)
        }
    }

    mutating func append(_ value: SyncValue) {
        switch value {
        case .null: append(SyncRecordTag.null)
        case .bool(let flag): append(flag ? .yes : .no)
        case .int(let number): append(.int, number: UInt64(bitPattern: number))
        case .double(let number): append(.double, number: number.bitPattern)
        case .decimal(let number): append(.decimal, Array(number.description.utf8))
        case .string(let text): append(.string, Array(text.utf8))
        case .date(let date):
            append(.date, number: date.timeIntervalSinceReferenceDate.bitPattern)
        case .data(let data): append(.data, Array(data))
        case .uuid(let uuid): append(.uuid, Array(uuid.uuidString.utf8))
        case .url(let url): append(.url, Array(url.absoluteString.utf8))
        case .reference(let name): append(.reference, Array(name.utf8))
        case .set(let elements):
            append(.set, number: UInt64(elements.count))
            for element in elements.sorted(by: SyncValue.isOrdered) { append(element) }
        case .list(let elements):
            append(.list, number: UInt64(elements.count))
            for element in elements { append(element) }
        }
    }

    private mutating func append(_ tag: SyncRecordTag) { bytes.append(tag.rawValue) }

    private mutating func append(_ tag: SyncRecordTag, number: UInt64) {
        append(tag)
        append(number: number)
    }

    private mutating func append(number: UInt64) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ tag: SyncRecordTag, _ content: [UInt8]) {
        append(tag, number: UInt64(content.count))
        bytes += content
    }
}

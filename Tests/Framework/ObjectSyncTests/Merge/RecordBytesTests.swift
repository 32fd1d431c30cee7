import Foundation
import ObjectModel
import SeededRandom
import Testing

@testable import ObjectSync

@Suite("Bytes of records")
struct RecordBytesTests {
    private let record = SyncRecord(
        SyncKey(entity: "Item", name: "ä"),
        kind: "Task",
        values: [
            "null": .null, "yes": .bool(true), "no": .bool(false), "int": .int(.min),
            "double": .double(-0.1), "decimal": .decimal(Decimal(string: "0.1") ?? 0),
            "text": .string("a\n\u{0}\u{1F642}"), "data": .data(Data([0, 255])),
            "date": .date(Date(timeIntervalSinceReferenceDate: 0.25)),
            "uuid": .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
            "reference": .reference("x"), "set": .set([.int(1), .string("2"), .set([])]),
            "list": .list([.int(2), .int(1)]),
        ],
        modified: Date(timeIntervalSinceReferenceDate: 7),
        stamps: ["int": Date(timeIntervalSinceReferenceDate: 8)],
        extra: Data([1, 2])
    )

    @Test func recordIsReadAsItWasWritten() throws {
        #expect(try SyncRecordReader.record(SyncRecordWriter.data(record)) == record)
    }

    @Test func equalRecordsHaveEqualBytes() {
        var other = SyncRecord(record.key, kind: "Task", modified: record.modified)
        for key in record.values.keys.sorted(by: >) { other.values[key] = record.values[key] }
        (other.stamps, other.extra) = (record.stamps, record.extra)
        #expect(SyncRecordWriter.data(other) == SyncRecordWriter.data(record))
    }

    @Test func damagedBytesAreAnErrorOrAnotherRecord() {
        var random = SeededRandom()
        let bytes = Array(SyncRecordWriter.data(record))
        for length in 0..<bytes.count {
            #expect(throws: ObjectGraphError.self) {
                try SyncRecordReader.record(Data(bytes.prefix(length)))
            }
        }
        for _ in 0..<500 {
            var damaged = bytes
            damaged[random.below(bytes.count)] ^= UInt8(1 + random.below(255))
            do { _ = try SyncRecordReader.record(Data(damaged)) } catch {
                #expect((error as? ObjectGraphError)?.code == .damagedFile)
            }
        }
    }
}

import CivilTime
import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectGraph

/// Documents of other programs.
extension ParserEntry {
    static let exchange =
        ExchangeFormat.imported.map { format in
            // The framework's tables and the text of notes have the short names.
            let isTaken = format == .csv || format == .markdown
            return ParserEntry(isTaken ? "task-\(format.name)" : format.name) {
                try check(format, $0)
            }
        }
        + CredentialFormat.allCases.map { format in
            ParserEntry(format == .csv ? "credential-table" : format.rawValue) { bytes in
                let events = try format.read(bytes, path: "Mail/private.gpg").events
                try keeps(
                    events == format.read(bytes, path: "Mail/private.gpg").events,
                    "a file that is read twice has other credentials"
                )
            }
        }

    private static func check(_ format: ExchangeFormat, _ bytes: [UInt8]) throws {
        let (records, isWhole) = try read(format, ByteSource(bytes)) { _ in }
        let inParts = try read(format, ByteSource(bytes, partSize: 3)) { _ in }.records
        try keeps(records == inParts, "a document that is read in small parts is another one")
        // Docket's own format loses nothing.
        try keeps(
            records == rewritten(records, .json),
            "items that are written and read are others"
        )
        // Without a part that was refused, or with text that belongs to no item, which an import
        // reports, what follows it can mean something else.
        if !isWhole, [.markdown, .org, .icalendar].contains(format) { return }
        // An import makes one item of those that have the same identity.
        if Set(records.map(\.uuid)).count < records.count { return }
        var own = try rewritten(records, format)
        var twice = try rewritten(own, format)
        if format == .icalendar {
            // The order of components says nothing.
            own.sort { $0.uuid.uuidString < $1.uuid.uuidString }
            twice.sort { $0.uuid.uuidString < $1.uuid.uuidString }
        }
        let difference = zip(own, twice).first { $0 != $1 }
        try keeps(
            own == twice,
            "items that are written and read twice in \(format.name) are others:"
                + " \(own.count) and \(twice.count), \(String(describing: difference))"
        )
    }

    private static func rewritten(
        _ records: [ItemRecord],
        _ format: ExchangeFormat
    ) throws -> [ItemRecord] {
        var writer = format.writer(settings: settings())
        for record in records { writer.write(record) }
        writer.finish()
        let bytes = writer.drain()
        return try read(format, ByteSource(bytes)) { problem in
            throw BrokenLaw("what was written cannot be read: \(problem.message)")
        }.records
    }

    /// The records of a document, and whether a report of their import would be empty and each has
    /// an identity.
    private static func read(
        _ format: ExchangeFormat,
        _ source: ByteSource,
        onFailure: (ImportProblem) throws -> Void
    ) throws -> (records: [ItemRecord], isWhole: Bool) {
        var reader = try format.reader(of: source, settings: settings())
        var result: (records: [ItemRecord], isWhole: Bool) = ([], true)
        while let event = reader.next() {
            switch event {
            case .record(let found):
                result.records.append(found.record)
                if !found.remarks.isEmpty || !found.isNamed { result.isWhole = false }
            case .smartList: break
            case .remark: result.isWhole = false
            case .failure(let problem):
                try onFailure(problem)
                result.isWhole = false
            }
        }
        return result
    }

    /// The moment of import is always the same, and identities count up.
    private static func settings() -> ExchangeSettings {
        let counter = Counter()
        return ExchangeSettings(dates: ParserClock.context) { counter.next() }
    }
}

/// Makes identities for items that have none.
private final class Counter: @unchecked Sendable {
    private var number: UInt64 = 0

    func next() -> UUID {
        number += 1
        let digits = String(number, radix: 16)
        let padded = String(repeating: "0", count: 12 - digits.count) + digits
        return UUID(uuidString: "00000000-0000-4000-8000-\(padded)") ?? UUID()
    }
}

enum ParserClock {
    static let context = DateContext(
        now: Date(timeIntervalSinceReferenceDate: 700_000_000),
        zone: .utc
    )
}

import ChildProcess
import FixedTime
import Foundation
import Testing

@testable import DocketFormats

/// Reading and writing whole documents.
enum Exchange {
    static let settings = ExchangeSettings(dates: Fixed.context)

    static func read(
        _ bytes: [UInt8],
        _ format: ExchangeFormat,
        settings: ExchangeSettings = settings
    ) throws -> (records: [ItemRecord], report: ExchangeReport) {
        try read(ByteSource(bytes), format, settings: settings)
    }

    static func read(
        _ source: ByteSource,
        _ format: ExchangeFormat,
        settings: ExchangeSettings = settings
    ) throws -> (records: [ItemRecord], report: ExchangeReport) {
        var reader = try format.reader(of: source, settings: settings)
        var records: [ItemRecord] = []
        var report = ExchangeReport()
        while let event = reader.next() {
            report.note(event)
            if case .record(let imported) = event { records.append(imported.record) }
        }
        return (records, report)
    }

    static func read(
        _ text: String,
        _ format: ExchangeFormat
    ) throws -> (records: [ItemRecord], report: ExchangeReport) {
        try read(Array(text.utf8), format)
    }

    static func write(
        _ records: [ItemRecord],
        _ format: ExchangeFormat,
        settings: ExchangeSettings = settings
    ) -> (text: String, report: ExchangeReport) {
        var writer = format.writer(settings: settings)
        for record in records { writer.write(record) }
        writer.finish()
        return (String(decoding: writer.drain(), as: UTF8.self), writer.report)
    }
}

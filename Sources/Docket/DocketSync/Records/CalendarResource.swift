import CivilTime
import DocketFormats
import FoundationEssentials

/// One object of a collection: a calendar with one task or note, and perhaps occurrences of it that
/// differ.
struct CalendarResource {
    /// The item, with what its component has besides.
    var item: ItemRecord
    /// The occurrences that differ, and what else is in the calendar.
    private var others: [ItemRecord] = []
    private let settings: ExchangeSettings

    /// Reads an object.
    ///
    /// - Returns: `nil` if it has no task and no note, or none that can be read.
    init?(_ data: Data, _ settings: ExchangeSettings) {
        self.settings = settings
        var reader = ICalendarReader(ByteSource(Array(data)), settings: settings)
        var found: [ImportedRecord] = []
        while let event = reader.next() {
            if case .record(let record) = event { found.append(record) }
        }
        // The series itself has no RECURRENCE-ID.
        let master = found.firstIndex { $0.record.series == nil } ?? 0
        guard found.indices.contains(master) else { return nil }
        let imported = found.remove(at: master)
        item = imported.record
        others = found.map(\.record)
        if item.repeatsFromCompletion {
            item.recurrence = item.recurrenceInCalendars(in: settings.dates)
        }
        if !imported.isDated {
            item.created = imported.isStamped ? item.modified : Date(timeIntervalSince1970: 0)
        }
        // Programs take the time of creation for the place if there is no other.
        item.order =
            item.order
            ?? ICalendarRules.rank(sortOrder: Int64(item.created.timeIntervalSinceReferenceDate))
    }

    /// The object for an item: what the server had of it stays as it was, as far as the item is the
    /// same.
    ///
    /// - Parameters:
    ///   - item: the item.
    ///   - former: what the server had.
    ///   - settings: those of the formats.
    /// - Returns: the calendar.
    static func data(_ item: ItemRecord, former: Data?, _ settings: ExchangeSettings) -> Data {
        var item = item
        var others: [ItemRecord] = []
        if let former, let known = CalendarResource(former, settings) {
            (item.extra, others) = (known.item.extra, known.others)
        } else {
            item.extra = ICalendarRules.ofResource(item.extra)
        }
        // The list is the collection.
        item.list = []
        var writer = ICalendarWriter(settings: settings, renumbers: true)
        writer.expect([item] + others)
        for record in [item] + others { writer.write(record) }
        writer.finish()
        return Data(writer.drain())
    }
}

import CivilTime
import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectSync

extension SyncEntities {
    /// The entities, with values as servers have them: times in whole seconds.
    ///
    /// - Parameter dates: for a server of calendars, which has a rule for the words of a repetition, the
    ///   zone in which days begin; `nil` for a server that keeps words.
    /// - Returns: the entities for a ``SyncEngine``.
    static func all(calendarIn dates: DateContext?) -> [SyncEntity] {
        all.map { entity in
            guard entity.name == item else { return entity }
            var entity = entity
            entity.canonical = { values in
                for case (let key, .date(let date)) in values {
                    let second = date.timeIntervalSince1970.rounded(.down)
                    values[key] = .date(Date(timeIntervalSince1970: second))
                }
                guard let dates, case .string? = values["rule"],
                    let record = ItemRecord(SyncRecord(.none, values: values))
                else { return }
                values["rule"] = record.recurrenceInCalendars(in: dates).map { .string($0) }
            }
            return entity
        }
    }
}

extension SyncKey {
    fileprivate static let none = SyncKey(entity: SyncEntities.item, name: UUID().uuidString)
}

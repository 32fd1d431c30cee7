import CivilTime
public import FoundationEssentials

/// Reads Taskwarrior's repeating tasks as series.
///
/// Taskwarrior has a template (`status` recurring) and tasks made from it, whose `parent` it is; the
/// place of such a task in the template's `mask` is its `imask`. Here, the tasks made from a template
/// are the occurrences of a series whose UUID is that of the template, and the template itself is
/// kept in the extra fields of one of them:
///
/// | template | occurrences | here |
/// |---|---|---|
/// | recurring | an open one | it goes on |
/// | recurring | none, or all are done | the next one is made, as Taskwarrior would; none after `until` |
/// | recurring, over before its first one | none | in the trash |
/// | deleted | any | they do not go on |
/// | not in the file | any | an open one goes on |
public struct TaskwarriorTemplates {
    private var templates: [ImportedRecord] = []
    private var occurrences: [UUID: [ImportedRecord]] = [:]
    /// The series in the order of their first occurrence.
    private var order: [UUID] = []
    /// Templates that were deleted.
    private var ended: Set<UUID> = []

    /// Takes a record that belongs to a series.
    ///
    /// - Returns: whether it does.
    public mutating func hold(_ imported: ImportedRecord) -> Bool {
        let record = imported.record
        let extra = record.extra[TaskwarriorRules.section]
        if extra["status"]?.string == "recurring" {
            templates.append(imported)
            return true
        }
        if let series = record.series {
            if occurrences[series] == nil { order.append(series) }
            occurrences[series, default: []].append(imported)
            return true
        }
        if record.trashed, extra["recur"] != nil { ended.insert(record.uuid) }
        return false
    }

    /// The occurrences, and templates of which there are none.
    ///
    /// - Complexity: O(n log n) of their number.
    public mutating func settled(_ settings: ExchangeSettings) -> [ImportedRecord] {
        var result: [ImportedRecord] = []
        for template in templates {
            let all = (occurrences.removeValue(forKey: template.record.uuid) ?? []).sorted {
                TaskwarriorSeries.precedes($0.record, $1.record)
            }
            result += TaskwarriorTemplates.settled(template, all, settings)
        }
        for series in order {
            for var imported in occurrences.removeValue(forKey: series) ?? [] {
                if imported.record.isOpen, imported.record.recurrence != nil {
                    if ended.contains(series) {
                        imported.record.recurrence = nil
                    } else {
                        imported.remarks.append(
                            "Its template is not in the file; it repeats by its own period."
                        )
                    }
                }
                result.append(imported)
            }
        }
        (templates, order, ended) = ([], [], [])
        return result
    }

    private static func settled(
        _ template: ImportedRecord,
        _ occurrences: [ImportedRecord],
        _ settings: ExchangeSettings
    ) -> [ImportedRecord] {
        var all = occurrences
        let last = all.lastIndex { $0.record.isOpen }
        if last == nil, let next = next(template, all.map(\.record), settings) { all.append(next) }
        guard !all.isEmpty else {
            var template = template
            template.remarks.append(
                "The template of a repeating task that is over is in the trash."
            )
            return [template]
        }
        let object = TaskwarriorWriter.object(of: template.record, settings)
        all[last ?? all.count - 1].record.extra[TaskwarriorRules.section]["template"] =
            .object(object)
        return all
    }

    /// The identity of an occurrence that Taskwarrior has not made yet.
    private static func made(_ index: Int, of series: UUID) -> UUID {
        UUIDText.made(from: "taskwarrior\n\(UUIDText.lowercase(series))\n\(index)")
    }

    /// The identity that an occurrence has if it was made here first; `nil` for a record of none.
    public static func made(for record: ItemRecord) -> UUID? {
        guard let series = record.series, let index = TaskwarriorSeries.index(of: record) else {
            return nil
        }
        return made(index, of: series)
    }

    /// The occurrence that Taskwarrior would make next; `nil` if there is none, or if it has made one
    /// that is not in the file.
    private static func next(
        _ template: ImportedRecord,
        _ occurrences: [ItemRecord],
        _ settings: ExchangeSettings
    ) -> ImportedRecord? {
        var imported = template
        let extra = template.record.extra[TaskwarriorRules.section]
        let mask = extra["mask"]?.string ?? ""
        let dates = settings.dates
        let known = occurrences.compactMap { TaskwarriorSeries.index(of: $0) }.max()
        let index = max(mask.utf8.count, (known ?? -1) + 1)
        guard !mask.contains(where: { $0 == "-" || $0 == "W" }), let first = template.record.due,
            let due = template.record.taskSeries(in: dates)?.due(index, from: first, in: dates)
        else { return nil }
        let series = template.record.uuid
        imported.record.uuid = made(index, of: series)
        imported.record.series = series
        imported.record.trashed = false
        imported.record.due = due
        let shift = TaskShift(from: first, to: due, in: dates)
        imported.record.start = template.record.start.map(shift.date)
        var kept = extra
        for name in ["status", "mask", "end", "last"] { kept[name] = nil }
        if let wait = extra["wait"]?.string.flatMap({ ISODate.moment($0, zone: dates.zone) }) {
            kept["wait"] = TaskwarriorRules.text(shift.moment(wait))
        }
        kept["imask"] = .number("\(index)")
        imported.record.extra[TaskwarriorRules.section] = kept
        imported.remarks.append(
            "The next occurrence of a template, which Taskwarrior had not made yet."
        )
        return imported
    }
}

extension ItemRecord {
    /// Whether it is neither done nor in the trash.
    public var isOpen: Bool { completed == nil && !trashed }
}

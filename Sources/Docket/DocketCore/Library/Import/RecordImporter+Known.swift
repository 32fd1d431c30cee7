import CivilTime
import DocketFormats
import FoundationEssentials
import ObjectGraph

extension RecordImporter {
    /// Whose values are used.
    private enum Verdict {
        case file
        /// Ours, without a report: the file has nothing new.
        case unchanged
        /// Ours; the sentence has the reason.
        case here(String)
    }

    /// Updates an item, or does not change it; see ``RecordImporter``.
    ///
    /// - Returns: the fields that take the file's values; the caller sets the relations.
    mutating func update(_ item: Item, _ imported: ImportedRecord) throws -> Set<RecordField> {
        let known = library.record(of: item)
        var record = imported.record
        keepSpelling(of: &record)
        let remarks = try leaveOutRelations(of: &record, item, known)
        let former = survey.former[record.uuid]
        let fields = edited(differences(imported, record, known), in: imported, since: former)
        for (field, remark) in remarks where !fields.contains(field) {
            report.remark(line: imported.line, title: record.title, remark)
        }
        if fields.isEmpty { return [] }
        if isResuming, Set(fields).isSubset(of: [.parent, .dependencies]),
            imported.isStamped ? record.modified == known.modified : isAsLastImported(known)
        {
            // The relations were not set, because the last part was interrupted.
            item.keepsModified = true
            return Set(fields)
        }
        let title = known.title
        let disputed = former.map { self.disputed(fields, since: $0, known) } ?? fields
        var taken = fields
        switch disputed.isEmpty ? .file : verdict(imported, record, known) {
        case .file: break
        case .unchanged: return []
        case .here(let why):
            taken = former == nil ? [] : fields.filter { $0 != .extra && !disputed.contains($0) }
            report.leave(
                line: imported.line,
                title: title,
                why: why,
                fields: shown(fields).filter { !taken.contains($0) }.map(\.rawValue)
            )
            if taken.isEmpty { return [] }
        }
        reportSpelling(imported)
        report.update(line: imported.line, title: title, fields: shown(taken).map(\.rawValue))
        updated += 1
        if imported.isStamped, record.modified > item.modified {
            item.modified = record.modified
        } else if isMarked(imported) {
            // The mark must have the time at which the item had the content of the file.
            record.modified = settings.dates.now
            item.modified = record.modified
        }
        record.extra = extra(of: record, over: known, imported)
        names.apply(taken, record, to: item)
        if taken.allSatisfy({ $0 != .extra }), isMarked(imported) {
            item.extra = record.extra.text
        }
        return Set(taken)
    }

    /// The fields that a report names.
    private func shown(_ fields: [RecordField]) -> [RecordField] {
        fields.count > 1 ? fields.filter { $0 != .extra } : fields
    }

    /// The fields of some that are not as in the former document; all without one.
    private func edited(
        _ fields: [RecordField],
        in imported: ImportedRecord,
        since former: ItemRecord?
    ) -> [RecordField] {
        guard let former, !fields.isEmpty else { return fields }
        let edited = imported.record.fields(unlike: former)
        return fields.filter { edited.contains($0) }
    }

    /// The fields of some that have changed here too since the former document was written.
    private func disputed(
        _ fields: [RecordField],
        since former: ItemRecord,
        _ known: ItemRecord
    ) -> [RecordField] {
        let ours = format == .json ? known : throughFormat(known) ?? known
        let changed = ours.fields(unlike: former)
        return fields.filter { $0 != .extra && changed.contains($0) }
    }

    /// Fills a new item.
    mutating func fill(_ item: Item, _ imported: ImportedRecord) throws {
        var record = imported.record
        keepSpelling(of: &record)
        reportSpelling(imported)
        item.modified = record.modified
        names.apply(RecordField.allCases, record, to: item)
    }

    // MARK: Comparing

    /// The fields in which the file differs from an export of the item.
    func differences(
        _ imported: ImportedRecord,
        _ record: ItemRecord,
        _ known: ItemRecord
    ) -> [RecordField] {
        // In a file that is imported again, most items are unchanged in every field.
        var same = record
        same.shortID = known.shortID
        same.order = known.order
        same.modified = known.modified
        same.tags.sort()
        if same == known { return [] }
        let own = format.name
        func comparable(_ record: ItemRecord) -> ItemRecord {
            var record = record
            if format == .json {
                record.extra[RecordImporter.section] = []
            } else {
                var fields = record.extra[own]
                // What it says of the occurrences follows from them.
                if case .object(var template)? = fields["template"] {
                    for name in ["mask", "status", "modified"] { template[name] = nil }
                    fields["template"] = .object(template)
                }
                if format == .icalendar { fields = ICalendarRules.compared(fields) }
                record.extra = ForeignFields()
                record.extra[own] = fields
            }
            return record
        }
        let wanted = comparable(record)
        var fields = wanted.fields(unlike: comparable(known))
        if fields.isEmpty { return [] }
        if format != .json, var seen = throughFormat(known) {
            // A text is compared with the item's former text, unless Docket has written it.
            if format.keepsText {
                let isOurs = format != .todotxt && isOurs(wanted.extra[own], known, seen)
                seen.extra = isOurs ? wanted.extra : known.extra
            }
            // A template belongs to the whole series.
            if format == .taskwarrior { seen.extra[own]["template"] = known.extra[own]["template"] }
            if format == .icalendar {
                // An export has the relations that an import left out.
                seen.extra[own]["leftOut"] = known.extra[own]["leftOut"]
                if known.parent == nil { seen.parent = nil }
                seen.dependencies.removeAll { !known.dependencies.contains($0) }
            }
            fields = wanted.fields(unlike: comparable(seen))
        }
        let line = record.extra[own]
        return fields.filter { field in
            switch field {
            // Values that the file did not have were made up.
            case .created: imported.isDated
            // A file of an earlier version does not say it.
            case .series: record.series != nil
            // Whether it is the one that goes on is known from all occurrences, not from one.
            case .recurrence where format == .taskwarrior:
                record.extra[own]["recur"] == nil
                    || record.extra[own]["recur"] != known.extra[own]["recur"]
                    || record.extra[own]["until"] != known.extra[own]["until"]
            case .completed where line["endless"] != nil && known.completed != nil: false
            case .body where known.kind == .task || known.isEncrypted: false
            default: known.kind == .task || !field.isOfTasks
            }
        }
    }

    /// A record after writing and reading it in the format.
    private func throughFormat(_ known: ItemRecord) -> ItemRecord? {
        var known = known
        var writer: any RecordWriter
        // The others have no trash.
        if format != .taskwarrior { known.trashed = false }
        if format == .todotxt {
            writer = TodoTxtWriter(settings: settings, includesUUID: true)
        } else {
            writer = format.writer(settings: settings)
        }
        writer.write(known)
        writer.finish()
        var reader = try? format.reader(of: writer.drain(), settings: settings)
        while case .record(let imported)? = reader?.next() {
            // Beside an occurrence there may be the template of its series.
            if imported.record.uuid != known.uuid { continue }
            var record = imported.record
            keepSpelling(of: &record)
            return record
        }
        return nil
    }

    /// Whether a text in a document with headings is that of an export of the item, so that the item
    /// keeps what it has of its former document.
    private func isOurs(
        _ theirs: [JSONMember],
        _ known: ItemRecord,
        _ seen: ItemRecord
    ) -> Bool {
        // Where it is does not matter: its level, what it inherits, and its parent elsewhere.
        func text(_ fields: [JSONMember]) -> [String] {
            let lines = (fields["text"]?.string ?? "").split(separator: "\n")
            return lines.compactMap { line in
                var line = String(line.drop { " \t*".contains($0) }).trimmingSpace
                if let start = line.firstRange(of: " [parent:: "),
                    let end = line.firstIndex(of: "]")
                {
                    line.removeSubrange(start.lowerBound...max(end, start.lowerBound))
                }
                // Tags of a heading, which may be those of the heading above.
                if line.hasSuffix(":"), let start = line.lastIndex(of: " "),
                    line[start...].hasPrefix(" :")
                {
                    line.removeSubrange(start...)
                }
                let places = [":PARENT:", ":TAGS:", ":PROPERTIES:", ":END:"]
                return places.contains { line.hasPrefix($0) } ? nil : line
            }
        }
        if known.extra[format.name].isEmpty { return true }
        return theirs != known.extra[format.name] && text(theirs) == text(seen.extra[format.name])
    }

    private func verdict(
        _ imported: ImportedRecord,
        _ record: ItemRecord,
        _ known: ItemRecord
    ) -> Verdict {
        let changedHere = "It was changed here, and the file does not say when it was changed there"
        if format == .todotxt {
            let section = ExchangeFormat.todotxt.name
            guard let line = known.extra[section]["line"] else {
                return known.modified == known.created ? .file : .here(changedHere)
            }
            if line == record.extra[section]["line"] { return .unchanged }
            var present = known
            present.trashed = false
            let isAsImported = TodoTxtWriter(settings: settings).isUnchanged(present)
            return isAsImported ? .file : .here(changedHere)
        }
        if imported.isStamped {
            // Many formats have whole seconds only.
            let theirs = record.modified.timeIntervalSinceReferenceDate
            let ours = known.modified.timeIntervalSinceReferenceDate
            let isOlder = theirs < (theirs == theirs.rounded() ? ours.rounded(.down) : ours)
            return isOlder ? .here("It was changed here later than in the file") : .file
        }
        if last(of: known)?["record"]?.string == fingerprint(imported.record) { return .unchanged }
        return isAsLastImported(known) ? .file : .here(changedHere)
    }

    /// Whether an item of a file without times is unchanged since the last import.
    ///
    /// A new one has the time of its creation; an updated one has a mark.
    private func isAsLastImported(_ known: ItemRecord) -> Bool {
        guard let last = last(of: known) else { return known.modified == known.created }
        return last["modified"]?.string == moment(known.modified)
    }

    // MARK: The last import

    /// The section of an item's extra fields for the content of the last import.
    private static let section = "import"

    /// Whether an update leaves a mark of the imported content, because the file has no times.
    private func isMarked(_ imported: ImportedRecord) -> Bool {
        imported.isNamed && !imported.isStamped && format != .todotxt
    }

    /// The content that the last import of this format brought, of an item with a mark.
    private func last(of known: ItemRecord) -> [JSONMember]? {
        let mark = known.extra[RecordImporter.section][format.name]
        if case .object(let last)? = mark { return last }
        return nil
    }

    private func mark(_ record: ItemRecord) -> [JSONMember] {
        [
            JSONMember(
                format.name,
                .object([
                    JSONMember("record", .string(fingerprint(record))),
                    JSONMember("modified", .string(moment(record.modified))),
                ])
            )
        ]
    }

    private func moment(_ date: Date) -> String { "\(date.timeIntervalSinceReferenceDate)" }

    /// A text that distinguishes contents of a record.
    private func fingerprint(_ record: ItemRecord) -> String {
        var record = record
        record.shortID = nil
        record.order = nil
        // Both may be the time of the import.
        record.created = Date(timeIntervalSinceReferenceDate: 0)
        record.modified = record.created
        record.extra[RecordImporter.section] = []
        var bytes: [UInt8] = []
        DocketJSONWriter.append(record, to: &bytes)
        return String(ByteSource.fingerprint(bytes), radix: 16)
    }

    /// The extra fields of an item after an update: this format's from the file, the others
    /// unchanged.
    private func extra(
        of record: ItemRecord,
        over known: ItemRecord,
        _ imported: ImportedRecord
    ) -> ForeignFields {
        var extra = format == .json ? record.extra : known.extra
        if format != .json { extra[format.name] = record.extra[format.name] }
        extra[RecordImporter.section] = known.extra[RecordImporter.section]
        if isMarked(imported) {
            var fresh = imported.record
            fresh.modified = record.modified
            extra[RecordImporter.section] = mark(fresh)
        }
        return extra
    }

    // MARK: Letter case

    /// Keeps Taskwarrior's spelling of names that the library has in another letter case.
    func keepSpelling(of record: inout ItemRecord) {
        guard format == .taskwarrior else { return }
        let section = TaskwarriorRules.section
        if names.spelled(record.list) != record.list, record.extra[section]["project"] == nil {
            let project = TaskwarriorRules.project(ofList: record.list)
            record.extra[section]["project"] = .string(project)
        }
        if record.tags.contains(where: { names.spelled(tag: $0) != $0 }) {
            record.extra[section]["tags"] = .array(record.tags.sorted().map { .string($0) })
        }
    }

    /// Reports, once for each, names that exist in another letter case.
    private mutating func reportSpelling(_ imported: ImportedRecord) {
        let record = imported.record
        if record.list.isEmpty, record.tags.isEmpty { return }
        let list = names.spelled(record.list)
        if list != record.list {
            let (theirs, ours) = (ListPath.string(record.list), ListPath.string(list))
            remark(
                "The list “\(theirs)” exists as “\(ours)”; the item was put there.",
                "+" + theirs
            )
        }
        for tag in record.tags {
            let known = names.spelled(tag: tag)
            if known != tag {
                remark("The tag “\(tag)” exists as “\(known)”; the item got that one.", "#" + tag)
            }
        }
        func remark(_ text: String, _ key: String) {
            guard spellings.insert(key).inserted else { return }
            report.remark(line: imported.line, title: record.title, text)
        }
    }
}

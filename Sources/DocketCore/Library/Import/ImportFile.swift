import FoundationEssentials

/// The content of a file: items that can be imported, and the errors of the others.
struct ImportFile {
    private(set) var records: [ImportedRecord] = []
    private(set) var report = ExchangeReport()

    mutating func add(_ event: ImportEvent) {
        switch event {
        case .record(let imported): records.append(imported)
        case .failure: report.note(event)
        }
    }

    /// Leaves out, with a report, items whose UUID occurred before with other content, and items
    /// that would be subtasks of themselves; counts the others as kept.
    ///
    /// - Complexity: O(items).
    mutating func leaveOutContradictions() {
        leaveOutDoubles()
        leaveOutCircles()
        for imported in records {
            report.keep(
                line: imported.line,
                title: imported.record.title,
                remarks: imported.remarks
            )
        }
    }

    private mutating func leaveOutDoubles() {
        // Mostly there are none; a set finds that out without moving the records.
        var seen: Set<UUID> = []
        seen.reserveCapacity(records.count)
        if records.allSatisfy({ seen.insert($0.record.uuid).inserted }) { return }
        var places: [UUID: Int] = [:]
        places.reserveCapacity(records.count)
        var kept: [ImportedRecord] = []
        kept.reserveCapacity(records.count)
        for imported in records {
            guard let place = places[imported.record.uuid] else {
                places[imported.record.uuid] = kept.count
                kept.append(imported)
                continue
            }
            let first = kept[place]
            if first.record.isSame(as: imported.record) {
                kept[place].remarks.append("It occurs again in line \(imported.line).")
                continue
            }
            // If items may be left out, the newer one is kept.
            let isNewer =
                imported.isStamped && first.isStamped
                && imported.record.modified > first.record.modified
            let out = isNewer ? first : imported
            if isNewer { kept[place] = imported }
            let other = isNewer ? imported : first
            report.skip(
                line: out.line,
                title: out.record.title,
                reason: "Line \(other.line) has the same UUID and other content."
            )
        }
        records = kept
    }

    private mutating func leaveOutCircles() {
        var parents: [UUID: UUID] = [:]
        for imported in records {
            if let parent = imported.record.parent { parents[imported.record.uuid] = parent }
        }
        if parents.isEmpty { return }
        var clear: Set<UUID> = []
        var circles: Set<UUID> = []
        for start in parents.keys {
            var way: [UUID] = []
            var places: [UUID: Int] = [:]
            var current: UUID? = start
            while let uuid = current, !clear.contains(uuid), !circles.contains(uuid) {
                if let place = places[uuid] {
                    circles.formUnion(way[place...])
                    break
                }
                places[uuid] = way.count
                way.append(uuid)
                current = parents[uuid]
            }
            for uuid in way where !circles.contains(uuid) { clear.insert(uuid) }
        }
        if circles.isEmpty { return }
        records.removeAll { imported in
            guard circles.contains(imported.record.uuid) else { return false }
            report.skip(
                line: imported.line,
                title: imported.record.title,
                reason:
                    "It would be a subtask of itself: its parent, or one above it, is one of its subtasks."
            )
            return true
        }
    }
}

extension ItemRecord {
    /// Whether two records have the same content, at any place in the file.
    fileprivate func isSame(as other: ItemRecord) -> Bool {
        var copy = self
        copy.order = other.order
        copy.shortID = other.shortID
        return copy == other
    }
}

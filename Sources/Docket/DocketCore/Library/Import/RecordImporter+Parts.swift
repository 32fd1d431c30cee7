import DocketFormats
import ObjectGraph

// The parts of an import, each one transaction. They are one step of undo.
//
//   part … part ── postponed relations … ── last transaction
//     │                                          │
//     └ with the mark: command, file, done       └ removes the mark
//
// After a crash the mark says where the import of the same file continues.
//
// A part is written by another thread while the next one is made (`+Ahead`).

extension RecordImporter {
    /// The progress of a run.
    struct Run {
        /// The first transaction of the step; `nil` while nothing is written.
        var first: Int64?
        /// How many records are read.
        var done = 0
        /// How many of them are saved.
        var saved = 0
        /// What is made, but not saved yet.
        var made: MadePart?
        /// What is saved, and not freed yet.
        var written: MadePart?
        /// Writes parts; `nil` if there is only one.
        var writer: PartWriter?
    }

    /// Saves everything, as one step of undo.
    ///
    /// - Parameters:
    ///   - parts: the records of the document.
    ///   - batch: how many items one transaction contains.
    /// - Throws: the store's error, or one of ``progress``, if nothing was saved; otherwise
    ///   ``ImportIncomplete``. A failure after the last transaction is none.
    mutating func run(_ parts: ImportParts, batch: Int) throws {
        isDivided = survey.count > batch
        let coordinator = library.context.coordinator
        let before = coordinator.metadata(ImportMark.key)
        var run = Run()
        var skipped = 0
        if let mark = before.flatMap({ ImportMark($0) }), mark.file == survey.fingerprint,
            library.isDone(mark.transaction)
        {
            run.first = mark.transaction
            isResuming = true
            // The interrupted one had parts, even if the rest fits into one.
            isDivided = true
            skipped = min(mark.done, survey.count)
        }
        let rowCacheLimit = coordinator.rowCacheLimit
        if isDivided { coordinator.rowCacheLimit = Library.importedRowBytes }
        defer {
            if isDivided {
                coordinator.rowCacheLimit = rowCacheLimit
                // The parts were saved beside the library's context.
                library.context.reset()
            }
        }
        do {
            var part = parts.take()
            if isDivided { run.writer = PartWriter(library.context.coordinator) }
            while !part.isEmpty {
                do {
                    try progress?(ImportProgress(done: run.saved, total: survey.count))
                } catch {
                    // What is done stays.
                    try finish(&run)
                    throw error
                }
                let known = min(part.count, max(0, skipped - run.done))
                continued += known
                run.done += part.count
                // Of what is done already, only the relations may be missing.
                if known > 0 { part = part[..<known].filter(\.hasRelations) + part[known...] }
                let next = parts.take()
                let isRight = next.isEmpty ? isAsSurveyed(parts, run) : run.done < survey.count
                if !isRight {
                    try finish(&run)
                    throw changedMeanwhile
                }
                if isDivided {
                    try saveAhead(part[...], &run, isEnd: next.isEmpty)
                } else {
                    try save(part[...], &run, isEnd: true)
                }
                part = next
            }
            try finish(&run)
            try saveRelations(&run, batch)
            first = run.first
            if isDivided, coordinator.metadata(ImportMark.key) != nil {
                // All items of its last part existed already.
                try coordinator.saveMetadata(.none, for: ImportMark.key)
            }
        } catch {
            run.writer?.wait()
            library.forgetNumbers()
            guard run.first != nil else {
                if isDivided { coordinator.setMetadata(before, for: ImportMark.key) }
                throw error
            }
            if isComplete(run) { return }
            let done = max(run.saved, skipped)
            throw ImportIncomplete(
                progress: ImportProgress(done: done, total: survey.count),
                cause: error
            )
        }
    }

    /// Whether everything is saved, relations included.
    func isComplete(_ run: Run) -> Bool { run.saved == survey.count && postponed.isEmpty }

    /// Whether the document that was read to its end has the items that the survey has found.
    private func isAsSurveyed(_ parts: ImportParts, _ run: Run) -> Bool {
        run.done == survey.count && parts.failures == survey.failures
    }

    private var changedMeanwhile: InputError {
        InputError(.conflict, "The file has changed while it was imported; import it again.")
    }

    /// Saves a part; if somebody else has saved some of its items in the meantime, it is created
    /// again.
    mutating func save(
        _ part: ArraySlice<ImportedRecord>,
        _ run: inout Run,
        isEnd: Bool
    ) throws {
        let before = self
        for attempt in 0... {
            do {
                try write(part, try known(part))
                try commit(&run, isLast: isEnd && postponed.isEmpty)
                break
            } catch let error as ObjectGraphError
                where error.code == .constraintConflict && attempt < 5
            {
                try goBack(to: before)
            }
        }
        if !isComplete(run) { try beginPart() }
    }

    /// Makes what was made since then again, after somebody else has saved.
    mutating func goBack(to before: RecordImporter) throws {
        library.forgetNumbers()
        try library.refresh()
        self = before
        context = library.makeScratch()
        names = try RecordNames(context)
        wasEmpty = false
        numbers = nil
    }

    /// Saves the relations that were postponed, in parts.
    private mutating func saveRelations(_ run: inout Run, _ batch: Int) throws {
        let all = postponed
        for start in stride(from: 0, to: all.count, by: batch) {
            let end = min(start + batch, all.count)
            try relateSaved(all[start..<end])
            try commit(&run, isLast: end == all.count)
            if end < all.count { try beginPart() }
        }
        postponed = []
    }

    private mutating func commit(_ run: inout Run, isLast: Bool) throws {
        var info = TransactionInfo()
        info.groupName = stepName
        info.continues = run.first
        if isLast { try library.followAllLinks(in: context) }
        let number: Int64
        if isDivided {
            let (first, done) = (run.first, run.done)
            number = try library.save(context, info) { [library, survey] in
                let command = try first ?? library.latestTransaction() &+ 1
                let mark = ImportMark(command, survey.fingerprint, done: done)
                let value: GraphValue? = isLast ? .none : mark.value
                library.context.coordinator.setMetadata(value, for: ImportMark.key)
            }
        } else {
            number = try library.saveAndMerge(context, info)
        }
        // If a part had to move after additions of others, the rest follows it.
        if let kept, kept.item.displayOrder != kept.order { wasEmpty = false }
        if number > 0 { run.first = run.first ?? number }
        run.saved = run.done
    }

    /// The name of the step.
    ///
    /// That of an import in parts is written before all of them are compared with the existing
    /// items, so it has the number of items in the file.
    var stepName: String {
        let count = isDivided ? survey.count : added + updated
        let rest = source.map { " from \(StepName.short($0))" } ?? ""
        return StepName(.imported, StepSubject(.item, count: count, title: nil), rest).text
    }
}

extension ImportedRecord {
    /// Whether it refers to other items.
    fileprivate var hasRelations: Bool {
        record.parent != nil || !record.dependencies.isEmpty
    }
}

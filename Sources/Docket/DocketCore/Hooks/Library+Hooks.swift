import CivilTime
import DocketFormats
import FoundationEssentials
import ObjectGraph

// Hooks see what is about to be saved before the store is locked, so a slow one stops nobody else.
// Their answers are compared with what they got, and only the differences are taken: Taskwarrior's
// JSON need not hold everything.

extension Library {
    /// Runs the hooks of what a context is about to save, and takes what they change.
    ///
    /// - Returns: the titles that they have replaced, and those that they have set.
    /// - Throws: `InputError` if one refuses; the pending changes stay.
    @discardableResult
    func runHooks(in context: ManagedObjectContext) throws -> [(old: String, new: String)] {
        guard let hooks else { return [] }
        let programs = try hooks.programs()
        if programs.isEmpty { return [] }
        var renamed: [(old: String, new: String)] = []
        let items = context.insertedObjects.union(context.updatedObjects)
            .compactMap { $0 as? Item }.filter(\.hasPersistentChangedValues)
            .sorted { $0.shortID < $1.shortID }
        let stored = try storedRecords(of: items.filter { !$0.isInserted })
        var hooked = HookedItems(hooks, context, ExchangeSettings(dates: clock()), whenHookSpeaks)
        for item in items {
            let former = stored[item.objectID]
            var events: [ItemHooks.Event] = [former == nil ? .add : .modify]
            if let former, former.completed == nil, (item as? Task)?.completed != nil {
                events.append(.done)
            }
            let title = item.title
            for event in events {
                guard let programs = programs[event] else { continue }
                let fields = try hooked.run(programs, on: item, record(of: item), former)
                guard let task = item as? Task else { continue }
                if fields.contains(where: { [.due, .start, .reminders].contains($0) }) {
                    task.setNextReminder(clock())
                }
            }
            if item.title != title { renamed.append((title, item.title)) }
            if programs[.exit] != nil { hookedItems.insert(item.uuid) }
        }
        return renamed
    }

    /// The items as they are stored, whatever is pending.
    private func storedRecords(of items: [Item]) throws -> [ManagedObjectID: ItemRecord] {
        if items.isEmpty { return [:] }
        let scratch = makeScratch()
        return try withExtendedLifetime(scratch) {
            let stored = try scratch.objects(
                Item.self,
                with: items.map(\.objectID),
                prefetching: []
            )
            return Dictionary(stored.map { ($0.objectID, record(of: $0)) }) { first, _ in first }
        }
    }

    /// Runs the hooks of an import.
    ///
    /// - Parameters:
    ///   - read: reads the document.
    ///   - leftOut: the records that are not imported, counted from 0.
    /// - Returns: what they change, by record.
    /// - Throws: `InputError` if one refuses, or the error of reading.
    func hookedChanges(
        of read: () throws -> any RecordReader,
        leavingOut leftOut: Set<Int>
    ) throws -> [Int: RecordChange] {
        guard let hooks, let programs = try hooks.programs()[.import] else { return [:] }
        let settings = ExchangeSettings(dates: clock())
        var records: [(place: Int, record: ItemRecord, line: [UInt8])] = []
        var place = 0
        var reader = try read()
        while let event = reader.next() {
            guard case .record(let imported) = event else { continue }
            if !leftOut.contains(place) {
                let line = HookedItems.line(imported.record, settings)
                records.append((place, imported.record, line))
            }
            place += 1
        }
        if records.isEmpty { return [:] }
        let answers = try hooks.run(programs, records.map(\.line), tell: whenHookSpeaks)
        var changes: [Int: RecordChange] = [:]
        for ((place, record, line), answer) in zip(records, answers) where answer != line {
            changes[place] = try HookedItems.change(of: record, line, answer, settings)
        }
        return changes
    }

    /// Shows the hooks of the program's end what it has saved.
    public func runExitHooks() {
        guard let hooks, !hookedItems.isEmpty, let programs = try? hooks.programs()[.exit] else {
            return
        }
        let settings = ExchangeSettings(dates: clock())
        let numbers = hookedItems
        hookedItems = []
        let scratch = makeScratch()
        let lines = withExtendedLifetime(scratch) {
            ((try? Item.all(in: scratch, where: { $0.uuid.in(numbers) })) ?? [])
                .sorted { $0.shortID < $1.shortID }
                .map { HookedItems.line(record(of: $0), settings) }
        }
        if lines.isEmpty { return }
        // Everything is saved: a refusal is words.
        do { _ = try hooks.run(programs, lines, tell: whenHookSpeaks) } catch {
            whenHookSpeaks("\(error)")
        }
    }
}

/// What a hook wants of a record.
struct RecordChange {
    let fields: [RecordField]
    let record: ItemRecord
}

/// Items as hooks see them.
private struct HookedItems {
    private let hooks: ItemHooks
    private let settings: ExchangeSettings
    private let tell: (String) -> Void
    private let context: ManagedObjectContext
    /// Read when the first hook changes something.
    private var names: RecordNames?

    init(
        _ hooks: ItemHooks,
        _ context: ManagedObjectContext,
        _ settings: ExchangeSettings,
        _ tell: @escaping (String) -> Void
    ) {
        self.tell = tell
        self.hooks = hooks
        self.context = context
        self.settings = settings
    }

    /// Runs the programs of an event on an item, and sets what they change.
    ///
    /// - Returns: the changed fields.
    mutating func run(
        _ programs: [String],
        on item: Item,
        _ record: ItemRecord,
        _ former: ItemRecord?
    ) throws -> [RecordField] {
        let line = HookedItems.line(record, settings)
        let before = [former].compactMap(\.self).map { HookedItems.line($0, settings) }
        let answer = try hooks.run(programs, before: before, [line], tell: tell)[0]
        if answer == line { return [] }
        let change = try HookedItems.change(of: record, line, answer, settings)
        if change.fields.isEmpty { return [] }
        var names = try names ?? RecordNames(context)
        names.apply(change.fields, change.record, to: item)
        self.names = names
        try Limits.check(tags: item.$tags.count)
        return change.fields
    }

    /// An item in Taskwarrior's JSON.
    static func line(_ record: ItemRecord, _ settings: ExchangeSettings) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONText.append(.object(TaskwarriorWriter.object(of: record, settings)), to: &bytes)
        return bytes
    }

    /// In what an answer differs from its question.
    static func change(
        of record: ItemRecord,
        _ line: [UInt8],
        _ answer: [UInt8],
        _ settings: ExchangeSettings
    ) throws -> RecordChange {
        let title = StepName.quoted(record.title)
        func read(_ line: [UInt8]) throws -> ItemRecord {
            var reader = try ExchangeFormat.taskwarrior.reader(
                of: ByteSource(line),
                settings: settings
            )
            while let event = reader.next() {
                switch event {
                case .record(let imported) where imported.record.uuid == record.uuid:
                    return imported.record
                case .failure(let failure):
                    throw InputError(
                        .conflict,
                        "The answer of a hook for \(title) cannot be read: \(failure.message)"
                    )
                default: break
                }
            }
            throw InputError(
                .conflict,
                "The answer of a hook for \(title) is about another item; nothing is saved."
            )
        }
        let wanted = try read(answer)
        let fields = wanted.fields(unlike: try read(line))
        if let field = fields.first(where: { [.parent, .dependencies].contains($0) }) {
            throw InputError(
                .conflict,
                "A hook wants to change \(field.rawValue) of \(title), which hooks cannot; nothing is"
                    + " saved."
            )
        }
        return RecordChange(fields: fields, record: wanted)
    }
}

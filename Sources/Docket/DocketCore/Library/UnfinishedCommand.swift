import CivilTime
import FoundationEssentials
import ObjectGraph

/// The store's record of a running long command, so that it can be finished or reverted after a
/// crash.
public struct UnfinishedCommand {
    public enum Phase: String, Sendable {
        case running
        /// It was cancelled, and is being reverted.
        case takingBack
    }

    static let key = "DocketUnfinishedCommand"

    public let name: String
    let kind: StepSubject.Kind
    /// The first transaction of the step.
    let group: Int64
    /// The time that the command writes into items.
    let now: Date
    public internal(set) var phase = Phase.running
    /// For an undo, a redo and a reversion: the kind, and the command that it inverts.
    var inverts: (kind: TransactionInfo.Kind, command: Int64)?
    /// What it was doing, as the subject of a sentence: `Completing 23 tasks`.
    public var title: String {
        inverts.map { StepName.running(name, inverting: $0.kind) } ?? StepName.running(name)
    }

    /// Whether it undoes, redoes or reverts another command.
    public var isInversion: Bool { inverts != nil }
    /// The transactions that are inverted, newest first.
    var transactions: [Int64] = []
    var drops = false
    /// The process that runs it, with its time of start, because process numbers are reused.
    private var process = RunningProcess.own
    var changes: [ItemChange] = []
    var ids: [ManagedObjectID] = []

    init(name: String, kind: StepSubject.Kind, group: Int64, now: Date) {
        self.name = name
        self.kind = kind
        self.group = group
        self.now = now
    }

    /// Whether another process is running it at this moment.
    public var isUnderWayElsewhere: Bool { process != .own && process.isRunning }

    // MARK: As metadata

    var value: GraphValue {
        var fields: [String: GraphValue] = [
            "process": .int(process.number), "started": .int(process.start),
            "name": .string(name), "kind": .string(kind.rawValue), "group": .int(group),
            "now": .date(now), "phase": .string(phase.rawValue),
        ]
        if let inverts {
            fields["inverts"] = .int(inverts.kind.rawValue)
            fields["command"] = .int(inverts.command)
            fields["transactions"] = .array(transactions.map { .int($0) })
            fields["drops"] = .bool(drops)
        }
        if !changes.isEmpty {
            // Metadata cannot hold a nil: a value that is taken away is not there.
            fields["change"] = .array(
                changes.map { .dictionary($0.fields.filter { !$0.value.isNull }) }
            )
            var byEntity: [String: GraphValue] = [:]
            for (entity, ids) in Dictionary(grouping: ids, by: \.entityName) {
                byEntity[entity] = .data(KeyRuns.data(ids.map(\.key)))
            }
            fields["items"] = .dictionary(byEntity)
        }
        return .dictionary(fields)
    }

    init?(_ value: GraphValue?, in library: Library) {
        guard case .dictionary(let fields)? = value, case .string(let name)? = fields["name"],
            case .string(let kind)? = fields["kind"],
            let kind = StepSubject.Kind(rawValue: kind), let group = fields["group"]?.number,
            case .date(let now)? = fields["now"], case .string(let phase)? = fields["phase"]
        else { return nil }
        self.init(name: name, kind: kind, group: group, now: now)
        self.phase = Phase(rawValue: phase) ?? .running
        process = RunningProcess(
            number: fields["process"]?.number ?? 0,
            start: fields["started"]?.number ?? 0
        )
        if let inverts = fields["inverts"]?.number.flatMap(TransactionInfo.Kind.init),
            let command = fields["command"]?.number
        {
            self.inverts = (inverts, command)
            if case .array(let numbers)? = fields["transactions"] {
                transactions = numbers.compactMap(\.number)
            }
            if case .bool(let flag)? = fields["drops"] { drops = flag }
        }
        guard case .dictionary(let items)? = fields["items"] else { return }
        // Older versions have one change alone.
        var written = [fields["change"] ?? .null]
        if case .array(let changes) = written[0] { written = changes }
        let read = written.compactMap { ItemChange($0, in: library) }
        // Half of a command is none.
        if read.count == written.count { changes = read }
        for (entity, keys) in items {
            guard case .data(let data) = keys else { continue }
            ids += library.ids(entity, KeyRuns.keys(data))
        }
    }
}

extension GraphValue {
    fileprivate var number: Int64? {
        switch self {
        case .int(let number): number
        case .double(let number): Int64(exactly: number)
        case .bool(let flag): flag ? 1 : 0
        default: nil
        }
    }
}

/// Ascending keys as runs: the number of skipped keys, the number of following keys; few bytes for
/// many items.
enum KeyRuns {
    static func data(_ keys: [Int64]) -> Data {
        var bytes: [UInt8] = []
        func append(_ number: UInt64) {
            var number = number
            while number > 0x7f {
                bytes.append(UInt8(truncatingIfNeeded: number) | 0x80)
                number >>= 7
            }
            bytes.append(UInt8(number))
        }
        let sorted = keys.sorted()
        var index = 0
        var next: Int64 = 0
        while index < sorted.count {
            let first = sorted[index]
            var end = index + 1
            while end < sorted.count, sorted[end] == first + Int64(end - index) { end += 1 }
            append(UInt64(first - next))
            append(UInt64(end - index))
            next = first + Int64(end - index)
            index = end
        }
        return Data(bytes)
    }

    static func keys(_ data: Data) -> [Int64] {
        var numbers: [Int64] = []
        var number: UInt64 = 0
        var shift: UInt64 = 0
        for byte in data {
            number |= UInt64(byte & 0x7f) << shift
            shift += 7
            if byte & 0x80 != 0 { continue }
            numbers.append(Int64(clamping: number))
            (number, shift) = (0, 0)
        }
        var keys: [Int64] = []
        var next: Int64 = 0
        for index in stride(from: 0, to: numbers.count - 1, by: 2) {
            next += numbers[index]
            keys += next..<next + numbers[index + 1]
            next += numbers[index + 1]
        }
        return keys
    }
}

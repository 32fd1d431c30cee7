import CDeflate
import DocketFormats
public import FoundationEssentials

/// The tasks of a server at one version.
public struct TaskReplica: Hashable, Codable, Sendable {
    /// The version; that without bits is before the first one.
    public var version: UUID
    public var tasks: [UUID: TaskProperties]

    /// The version before the first one.
    public static let beginning = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    public init(version: UUID = TaskReplica.beginning, tasks: [UUID: TaskProperties] = [:]) {
        self.version = version
        self.tasks = tasks
    }

    /// Makes a change; one of a task that does not exist changes nothing.
    public mutating func apply(_ operation: TaskOperation) {
        switch operation {
        case .create(let uuid): tasks[uuid] = tasks[uuid] ?? [:]
        case .delete(let uuid): tasks[uuid] = nil
        case .update(let uuid, let property, let value, _): tasks[uuid]?[property] = value
        }
    }

    /// The operations that give a task some properties.
    ///
    /// - Parameters:
    ///   - uuid: the task.
    ///   - properties: what it is to have; `nil` deletes it.
    ///   - date: when each was set.
    /// - Returns: none if the task is so already.
    public func operations(
        giving uuid: UUID,
        _ properties: TaskProperties?,
        date: (_ property: String) -> Date
    ) -> [TaskOperation] {
        let former = tasks[uuid]
        guard let properties else { return former == nil ? [] : [.delete(uuid)] }
        var operations: [TaskOperation] = former == nil ? [.create(uuid)] : []
        for property in Set(properties.keys).union((former ?? [:]).keys).sorted()
        where former?[property] != properties[property] {
            operations.append(
                .update(
                    uuid,
                    property: property,
                    value: properties[property],
                    date: date(property)
                )
            )
        }
        return operations
    }

    /// A text that distinguishes the states of a task.
    public static func fingerprint(_ properties: TaskProperties) -> String {
        String(ByteSource.fingerprint(json(properties)), radix: 16)
    }

    // MARK: Snapshots

    /// The tasks as a snapshot: an object of objects, packed with zlib.
    ///
    /// - Throws: ``TaskChampionError`` if no memory is left.
    func snapshot() throws(TaskChampionError) -> [UInt8] {
        let members = tasks.sorted { $0.key.uuidString < $1.key.uuidString }.map {
            JSONMember(UUIDText.lowercase($0.key), .object(TaskReplica.members($0.value)))
        }
        var bytes: [UInt8] = []
        JSONText.append(.object(members), to: &bytes)
        let room = cdeflate_bound(bytes.count)
        var size = 0
        let packed = [UInt8](unsafeUninitializedCapacity: room) { target, filled in
            size = cdeflate_pack(bytes, bytes.count, target.baseAddress, room)
            filled = max(0, size)
        }
        guard size > 0 else { throw TaskChampionError("There is not enough memory.") }
        return packed
    }

    /// A snapshot larger than this, unpacked, is refused.
    private static let largestSnapshot = 1 << 30

    /// The tasks of a snapshot.
    ///
    /// - Throws: ``TaskChampionError`` if it is something else.
    init(version: UUID, snapshot: [UInt8]) throws(TaskChampionError) {
        var scanner = JSONScanner(try TaskReplica.unpacked(snapshot))
        guard case .object(let members)? = try? scanner.value() else { throw .damaged }
        self.init(version: version)
        tasks.reserveCapacity(members.count)
        for member in members {
            guard let uuid = UUIDText.parse(member.name), case .object(let fields) = member.value
            else { throw .damaged }
            var properties: TaskProperties = [:]
            for field in fields {
                guard let text = field.value.string else { throw .damaged }
                properties[field.name] = text
            }
            tasks[uuid] = properties
        }
    }

    private static func unpacked(_ packed: [UInt8]) throws(TaskChampionError) -> [UInt8] {
        var room = max(1 << 16, packed.count * 8)
        while room <= largestSnapshot {
            var size = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: room) { target, filled in
                size = cdeflate_unpack(packed, packed.count, 1, target.baseAddress, room)
                filled = max(0, size)
            }
            if size >= 0 { return bytes }
            if size != -2 { break }
            room *= 4
        }
        throw .damaged
    }

    private static func members(_ properties: TaskProperties) -> [JSONMember] {
        properties.sorted { $0.key < $1.key }.map { JSONMember($0.key, .string($0.value)) }
    }

    private static func json(_ properties: TaskProperties) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONText.append(.object(members(properties)), to: &bytes)
        return bytes
    }
}

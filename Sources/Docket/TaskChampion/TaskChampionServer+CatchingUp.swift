public import FoundationEssentials

extension TaskChampionServer {
    /// What has changed on a server.
    public struct Changes: Hashable, Sendable {
        /// When properties of tasks were set, by task; of a deleted one there is no property.
        public var touched: [UUID: [String: Date]] = [:]
        /// Whether the replica was made again, so that everything may have changed.
        public var isComplete = false
    }

    /// Brings a replica to the last version.
    ///
    /// If the server no longer has the version of the replica, it begins again with the snapshot: what
    /// nobody else has yet is kept by who merges, not here.
    ///
    /// - Parameter replica: as it was at some version; on an error it is at a later one, or as it was.
    /// - Returns: what has changed.
    /// - Throws: ``TaskChampionError``, or what the transport throws.
    public func catchUp(_ replica: inout TaskReplica) throws -> Changes {
        var changes = Changes()
        var seen: Set<UUID> = []
        if replica.version == TaskReplica.beginning, let snapshot = try snapshot() {
            (replica, changes.isComplete) = (snapshot, true)
        }
        while true {
            switch try child(of: replica.version) {
            case .none: return changes
            case .gone:
                // A server that has no snapshot beyond its first version has lost something.
                guard !changes.isComplete, let snapshot = try snapshot(),
                    snapshot.version != replica.version
                else { throw TaskChampionError.gone }
                replica = snapshot
                (changes.touched, changes.isComplete) = ([:], true)
            case .version(let version, let operations):
                for operation in operations {
                    replica.apply(operation)
                    if case .update(let uuid, let property, _, let date) = operation {
                        changes.touched[uuid, default: [:]][property] = date
                    } else {
                        changes.touched[operation.uuid] = [:]
                    }
                }
                replica.version = version
                // A chain has no circle.
                guard seen.insert(version).inserted else { throw TaskChampionError.damaged }
            }
        }
    }
}

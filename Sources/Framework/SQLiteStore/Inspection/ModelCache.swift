import CompiledModel
import FoundationEssentials
import ObjectModel
import ObjectStore

/// The table Z_MODELCACHE: one row with the compiled model of a store.
enum ModelCache {
    /// The model; `nil` if the file has none, or one that cannot be read.
    ///
    /// The cache is an addition of the store's program: without it the store is as good.
    static func read(from connection: Connection) throws -> ManagedObjectModel? {
        let exists = try connection.integer(
            "SELECT COUNT(*) FROM sqlite_master WHERE name = 'Z_MODELCACHE' AND type = 'table'"
        )
        guard exists == 1 else { return nil }
        let statement = try connection.statement(
            "SELECT Z_CONTENT FROM Z_MODELCACHE WHERE LENGTH(Z_CONTENT) <= \(PackedBytes.limit)"
        )
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return try? CompiledModel(Data(statement.bytes(0))).model()
    }
}

extension ManagedObjectModel {
    /// Gives entities their former names where a file has those and not the present ones, because a
    /// migration of it was not finished.
    ///
    /// - Parameter names: the entities of the file.
    func useFormerNames(of names: Set<String>) {
        for entity in entities where !names.contains(entity.name) {
            guard let former = entity.renamingIdentifier, names.contains(former),
                self.entity(named: former) == nil
            else { continue }
            let name = entity.name
            for other in entities {
                if other.superentityName == name { other.superentityName = former }
                for case let relationship as RelationshipDescription in other.ownProperties
                where relationship.destinationName == name { relationship.destinationName = former }
            }
            configurations = configurations.mapValues { members in
                members.map { $0 == name ? former : $0 }
            }
            entity.name = former
        }
    }
}

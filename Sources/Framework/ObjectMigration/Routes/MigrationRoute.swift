package import ObjectModel

/// One step from a version of a model to another.
package struct MigrationStep {
    package let source: ManagedObjectModel
    package let destination: ManagedObjectModel
    /// `nil` for a step whose mapping is inferred.
    package let mapping: MappingModel?
}

/// The steps from the model of a store to a newer one.
///
/// The route is the shortest of those over mapping models and inferred mappings; among routes of one
/// length, the one that uses more mapping models. An inferred step never passes over a mapping
/// model: if version 2 becomes version 3 by a mapping model, version 1 does not become version 3 by
/// an inferred mapping, although that may be possible, because the work of the mapping model would be
/// lost. For this the versions are listed from the oldest to the newest.
package struct MigrationRoute {
    package let steps: [MigrationStep]

    /// Finds the route.
    ///
    /// - Parameters:
    ///   - source: the model of the store.
    ///   - destination: the model that is wanted.
    ///   - versions: the known versions, the oldest first; source and destination need not be listed.
    ///   - mappings: mapping models between versions.
    ///   - infers: whether mappings may be inferred.
    ///   - configuration: the part of the models that the store holds.
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/inferredMapping`` if there are
    ///   no other versions and the changes cannot be inferred, otherwise with
    ///   ``ObjectGraphError/Code/missingMappingModel``.
    /// - Complexity: O(versions² × properties).
    package init(
        from source: ManagedObjectModel,
        to destination: ManagedObjectModel,
        versions: [ManagedObjectModel],
        mappings: [MappingModel],
        infers: Bool,
        configuration: String?
    ) throws {
        let ends = [source.versionChecksum, destination.versionChecksum]
        let between = versions.filter { !ends.contains($0.versionChecksum) }
        // The place of the source among the versions; what is older is not passed through.
        let place = versions.firstIndex { $0.versionChecksum == ends[0] } ?? -1
        let later = versions.dropFirst(place + 1).filter { version in
            between.contains { $0 === version }
        }
        let nodes = [source] + later + [destination]
        let edges = RouteEdges(nodes, mappings, infers, configuration)
        if let steps = edges.shortest() {
            self.steps = steps
            return
        }
        if let failure = edges.directFailure, mappings.isEmpty, later.isEmpty { throw failure }
        throw ObjectGraphError(
            .missingMappingModel,
            "No mapping leads from the model of the store to the model of this program.",
            recovery: infers
                ? "Give a mapping model, or the versions between the two."
                : "Give a mapping model, or let mappings be inferred.",
            underlying: edges.directFailure.map { [$0] } ?? []
        )
    }
}

/// The possible steps between versions, each leading to a later one.
private struct RouteEdges {
    private let nodes: [ManagedObjectModel]
    private let mapped: [Int: [Int: MappingModel]]
    private let infers: Bool
    private let configuration: String?
    /// Why the whole way cannot be inferred.
    let directFailure: ObjectGraphError?

    init(
        _ nodes: [ManagedObjectModel],
        _ mappings: [MappingModel],
        _ infers: Bool,
        _ configuration: String?
    ) {
        self.nodes = nodes
        self.infers = infers
        self.configuration = configuration
        var mapped: [Int: [Int: MappingModel]] = [:]
        for from in nodes.indices {
            for to in nodes.indices where to > from {
                mapped[from, default: [:]][to] = mappings.first {
                    $0.leads(from: nodes[from], to: nodes[to])
                }
            }
        }
        self.mapped = mapped
        directFailure = RouteEdges.failure(nodes[0], nodes[nodes.count - 1], configuration)
    }

    private static func failure(
        _ from: ManagedObjectModel,
        _ to: ManagedObjectModel,
        _ configuration: String?
    ) -> ObjectGraphError? {
        let known = configuration.flatMap { from.configurations[$0] == nil ? nil : $0 }
        do {
            _ = try ModelCorrespondence(from: from, to: to, configuration: (known, configuration))
            return nil
        } catch {
            return error as? ObjectGraphError
        }
    }

    private func step(_ from: Int, _ to: Int) -> MigrationStep? {
        if let mapping = mapped[from]?[to] {
            return MigrationStep(source: nodes[from], destination: nodes[to], mapping: mapping)
        }
        let passesOver = mapped.contains { start, ends in
            start >= from && ends.contains { $0.key <= to }
        }
        guard infers, !passesOver,
            RouteEdges.failure(nodes[from], nodes[to], configuration) == nil
        else { return nil }
        return MigrationStep(source: nodes[from], destination: nodes[to], mapping: nil)
    }

    /// The fewest steps from the first version to the last; of several ways the one with more
    /// mapping models.
    func shortest() -> [MigrationStep]? {
        var best: [[MigrationStep]?] = Array(repeating: nil, count: nodes.count)
        best[0] = []
        for to in nodes.indices.dropFirst() {
            for from in 0..<to {
                guard let way = best[from], let step = step(from, to) else { continue }
                let candidate = way + [step]
                if let known = best[to], !RouteEdges.isBetter(candidate, known) { continue }
                best[to] = candidate
            }
        }
        return best[nodes.count - 1]
    }

    private static func isBetter(_ left: [MigrationStep], _ right: [MigrationStep]) -> Bool {
        if left.count != right.count { return left.count < right.count }
        let count = { (steps: [MigrationStep]) in steps.count { $0.mapping != nil } }
        return count(left) > count(right)
    }
}

extension MappingModel {
    /// Whether the mapping is one between two models: it fits both, and says what becomes of every
    /// source entity.
    fileprivate func leads(
        from source: ManagedObjectModel,
        to destination: ManagedObjectModel
    ) -> Bool {
        guard (try? check(from: source, to: destination)) != nil else { return false }
        let handled = Set(entityMappings.compactMap(\.sourceEntityName))
        return source.entities.allSatisfy { $0.isAbstract || handled.contains($0.name) }
    }
}

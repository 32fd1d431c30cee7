import ObjectModel
import ObjectStore

/// The objects on which the result of a fetch depends: those of its entity, and those that its
/// predicate, order and sections reach over relationships.
struct FetchDependencies {
    let entity: EntityDescription
    private let includesSubentities: Bool
    /// The followed relationships; `nil` if they are unknown, as for a closure.
    ///
    /// Then the result may depend on every object.
    let chains: [KeyPathUse.Chain]?

    init(
        _ description: FetchDescription,
        _ entity: EntityDescription,
        sectionNameKeyPath: String? = nil
    ) {
        self.entity = entity
        includesSubentities = description.includesSubentities
        var use = KeyPathUse(description.predicate, description.sortDescriptors)
        if let sectionNameKeyPath { use.add(keyPath: sectionNameKeyPath) }
        chains = use.chains(from: entity)
    }

    /// Whether objects of some entity can be results themselves.
    func admits(_ other: EntityDescription) -> Bool {
        includesSubentities ? other.isKind(of: entity) : other === entity
    }

    /// Whether a change of an object of some entity can alter the results.
    func concerns(_ other: EntityDescription) -> Bool {
        if other.isKind(of: entity) { return true }
        guard let chains else { return true }
        return chains.contains { chain in
            chain.relationships.last?.destination.map { other.isKind(of: $0) } ?? false
        }
    }
}

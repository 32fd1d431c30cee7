import FoundationEssentials
import ObjectModel
import Synchronization

/// The IDs of new objects, which no two contexts of a coordinator share.
final class TemporaryIDs: Sendable {
    let space: IDSpace
    private let lastKey = Atomic<Int64>(0)

    init(_ model: ManagedObjectModel) {
        space = IDSpace.space(for: UUID(), entityNames: model.entityNames)
    }

    func next(for entity: EntityDescription) -> ManagedObjectID {
        ManagedObjectID(
            space: space.number,
            entity: entity.number,
            key: lastKey.add(1, ordering: .relaxed).newValue,
            isTemporary: true
        )
    }
}

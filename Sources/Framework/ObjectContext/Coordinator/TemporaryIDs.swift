import FoundationEssentials
import ObjectModel
import Synchronization

/// The IDs of new objects, which no two contexts of a coordinator share.
///
/// All coordinators of the same entities take their keys from one space, in blocks: a process has
/// few spaces, but may make any number of coordinators, such as those of short reads.
final class TemporaryIDs: Sendable {
    /// The keys of a block have the same number without these bits.
    private static let blockBits: Int64 = 12
    private static let lastBlock = Atomic<Int64>(0)
    /// Distinguishes the IDs from those of other processes, in their text form.
    private static let process = UUID()

    fileprivate struct State {
        var lastKey: Int64 = 0
        /// How many keys of the last block are left.
        var left = 0
        var blocks: Set<Int64> = []
    }

    private let space: IDSpace
    private let state = Mutex(State())

    init(_ model: ManagedObjectModel) {
        space = IDSpace.space(for: TemporaryIDs.process, entityNames: model.entityNames)
    }

    func next(for entity: EntityDescription) -> ManagedObjectID {
        ManagedObjectID(
            space: space.number,
            entity: entity.number,
            key: state.withLock { $0.nextKey() },
            isTemporary: true
        )
    }

    /// Whether an ID is one of this coordinator's.
    func owns(_ id: ManagedObjectID) -> Bool {
        guard id.isTemporaryID, id.spaceNumber == space.number else { return false }
        return state.withLock { $0.blocks.contains(id.key >> TemporaryIDs.blockBits) }
    }
}

extension TemporaryIDs.State {
    fileprivate mutating func nextKey() -> Int64 {
        if left == 0 {
            let block = TemporaryIDs.takeBlock()
            blocks.insert(block.number)
            (lastKey, left) = (block.firstKey - 1, block.count)
        }
        left -= 1
        lastKey += 1
        return lastKey
    }
}

extension TemporaryIDs {
    fileprivate static func takeBlock() -> (number: Int64, firstKey: Int64, count: Int) {
        let number = lastBlock.add(1, ordering: .relaxed).newValue
        return (number, number << blockBits, 1 << blockBits)
    }
}

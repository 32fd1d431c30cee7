import Glibc
import ObjectModel

/// Memory for an object's values.
///
/// Uses `malloc`: the allocation of a typed pointer makes an aligned allocation, which is several
/// times slower, once for each object that is created or filled.
enum SlotMemory {
    /// Memory for values, not initialised.
    static func make(_ count: Int) -> UnsafeMutablePointer<GraphValue> {
        guard let memory = malloc(max(1, count) * MemoryLayout<GraphValue>.stride) else {
            fatalError("out of memory")
        }
        return memory.bindMemory(to: GraphValue.self, capacity: count)
    }

    /// Deinitialises values and frees their memory.
    static func free(_ slots: UnsafeMutablePointer<GraphValue>, count: Int) {
        // One by one: the end of all at once calls the runtime for each.
        for slot in 0..<count { (slots + slot).deinitialize(count: 1) }
        Glibc.free(slots)
    }
}

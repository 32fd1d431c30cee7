import Glibc
import ObjectModel

/// Memory for an object's values.
///
/// By `malloc`: the allocation of a typed pointer goes past it to an aligned allocation, which costs
/// several times as much, once for each object that is made or filled.
enum SlotMemory {
    /// Room for values, none of them there yet.
    static func make(_ count: Int) -> UnsafeMutablePointer<Value> {
        guard let memory = malloc(max(1, count) * MemoryLayout<Value>.stride) else {
            fatalError("out of memory")
        }
        return memory.bindMemory(to: Value.self, capacity: count)
    }

    /// Forgets so many values and gives their memory back.
    static func free(_ slots: UnsafeMutablePointer<Value>, count: Int) {
        slots.deinitialize(count: count)
        Glibc.free(slots)
    }
}

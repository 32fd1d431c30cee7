import CZeroingHeap
import ObjectContext

extension Library {
    /// Gives memory back to the system, after work that needed much: what the heap keeps for later,
    /// and what the store keeps of its file.
    ///
    /// Cost: about a millisecond for each ten megabytes that are given back.
    public func giveBackMemory() {
        coordinator.releaseMemory()
        zeroing_heap_trim()
    }
}

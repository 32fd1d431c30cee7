import CZeroingHeap

/// Memory that the heap keeps for later.
package enum FreeMemory {
    /// Gives it back to the system, after work that needed much.
    ///
    /// Cost: about a millisecond for each ten megabytes that are given back.
    package static func giveBack() { zeroing_heap_trim() }
}

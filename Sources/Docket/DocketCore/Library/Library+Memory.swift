import CZeroingHeap

/// Memory that the heap keeps for later.
public enum FreeMemory {
    /// Gives it back to the system, after work that needed much.
    ///
    /// Cost: about a millisecond for each ten megabytes that are given back.
    public static func giveBack() { zeroing_heap_trim() }
}

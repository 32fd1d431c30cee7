import CZeroingHeap
import Encryption

/// What the process does with its memory while it handles secrets.
///
/// Keys and passphrases are in locked memory of their own. Names, passwords and what a screen shows
/// of them are ordinary strings: from ``begin()`` on the heap zeroes whatever is freed, and no other
/// process can read the memory until ``end()``.
public enum SecretMemory {
    /// Before the first secret is typed or decrypted.
    ///
    /// Cost: two system calls, and from then on the zeroing of freed blocks; a program that never
    /// calls it pays one branch for each block.
    public static func begin() {
        zeroing_heap_set(true)
        ProcessProtection.setReadableByOthers(false)
    }

    /// After the keys are gone and the last strings are released.
    ///
    /// The heap goes on zeroing: what a screen or a list still holds is freed later.
    public static func end() {
        zeroing_heap_clear()
        ProcessProtection.setReadableByOthers(true)
    }
}

import Glibc

/// Wakes the event loop from any thread.
///
/// It stays valid after the terminal is closed; waking then does nothing.
public struct Waker: Sendable {
    let descriptor: Int32

    public func wake() {
        var one: UInt64 = 1
        // Fails only if the counter is full, and then the loop will wake anyway.
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Resets all wakes so far.
    func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}

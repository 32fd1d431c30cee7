import CText

/// Stops a search that runs on another thread, within about a millisecond: the next key press
/// cancels the search of the last one.
///
/// It cannot be revoked; each search has its own.
public final class SearchCancellation: @unchecked Sendable {
    // Safety: only CText's two functions use the number, which is atomic; it is freed with this
    // object.
    let flag: UnsafeMutablePointer<UInt32>

    /// Not cancelled yet.
    public init() {
        flag = .allocate(capacity: 1)
        flag.initialize(to: 0)
    }

    deinit { flag.deallocate() }

    /// Ends the search soon; called on any thread.
    public func cancel() { ctext_flag_raise(flag) }

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { ctext_flag_is_raised(flag) }
}

import CText

/// A wish to stop a search that runs on another thread, seen within about a millisecond: the next
/// key cancels the search for the last.
///
/// It cannot be taken back; each search has its own.
package final class SearchCancellation: @unchecked Sendable {
    // Unchecked: the number is only touched by CText's two functions, which are atomic, and freed
    // when nobody holds this object.
    let flag: UnsafeMutablePointer<UInt32>

    package init() {
        flag = .allocate(capacity: 1)
        flag.initialize(to: 0)
    }

    deinit { flag.deallocate() }

    package func cancel() { ctext_flag_raise(flag) }

    package var isCancelled: Bool { ctext_flag_is_raised(flag) }
}

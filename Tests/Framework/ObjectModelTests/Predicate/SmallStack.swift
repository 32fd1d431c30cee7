import Foundation
import Testing

/// Runs work on a thread with a quarter of the usual stack, so that a recursion that is too deep
/// shows, although frames are ten times as large without optimisation.
func onSmallStack(_ work: @escaping () throws -> Void) throws {
    let box = StackBox(work)
    let thread = Thread { box.run() }
    thread.stackSize = 2 << 20
    thread.start()
    box.done.wait()
    try box.result.get()
}

private final class StackBox: @unchecked Sendable {
    let done = DispatchSemaphore(value: 0)
    private(set) var result = Result<Void, any Error>.success(())
    private let work: () throws -> Void

    init(_ work: @escaping () throws -> Void) { self.work = work }

    func run() {
        result = Result { try work() }
        done.signal()
    }
}

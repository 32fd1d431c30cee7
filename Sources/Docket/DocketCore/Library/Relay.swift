import DocketFormats
import ObjectGraph

/// Passes slices of records to a body on another thread, so that the next slice is read while the
/// last one is written.
///
/// The body is called for one slice after the other, and not after ``run(_:_:)`` has returned; so
/// it may use values that the caller of `run` does not use in the meantime.
struct Relay {
    /// A slice.
    ///
    /// Safety: its error is read after `done` was signalled.
    private final class Delivery: @unchecked Sendable {
        let done = Completion()
        var error: (any Error)?
    }

    /// The body; it is released at the end of the pass.
    ///
    /// Safety: only the other thread calls it, and the end of the pass waits for that.
    private final class Body: @unchecked Sendable {
        var call: (([ItemRecord]) throws -> Void)?

        init(_ call: @escaping ([ItemRecord]) throws -> Void) { self.call = call }
    }

    /// How many slices may wait, so that a slow body does not fill the memory.
    private static let mostWaiting = 1

    private let body: Body
    private let thread = ContextThread(name: "writer")
    private var waiting: [Delivery] = []
    private var error: (any Error)?

    private init(_ body: Body) { self.body = body }

    /// Calls `body` with each slice from `source`.
    ///
    /// - Parameters:
    ///   - body: receives a slice, on the other thread.
    ///   - source: passes slices on, on this thread.
    /// - Throws: the first error of `body`, which ends the pass, or that of `source`.
    static func run(
        _ body: ([ItemRecord]) throws -> Void,
        _ source: (inout Relay) throws -> Void
    ) throws {
        try withoutActuallyEscaping(body) { body in
            var relay = Relay(Body(body))
            defer {
                relay.settle(most: 0)
                relay.body.call = nil
            }
            try source(&relay)
            relay.settle(most: 0)
            if let error = relay.error { throw error }
        }
    }

    /// Passes a slice on; waits while too many are waiting.
    ///
    /// While the other thread is behind, the records are created here.
    ///
    /// - Parameter slice: the data of the records.
    /// - Throws: the body's error for an earlier slice.
    mutating func pass(_ slice: SavedRecords.Reading) throws {
        let isBehind =
            waiting.count > Relay.mostWaiting && !waiting[0].done.wait(atMost: .zero)
        let made = isBehind ? slice.records() : nil
        settle(most: Relay.mostWaiting)
        if let error { throw error }
        let delivery = Delivery()
        waiting.append(delivery)
        thread.later { [body] in
            do { try body.call?(made ?? slice.records()) } catch { delivery.error = error }
            delivery.done.signal()
        }
    }

    private mutating func settle(most: Int) {
        while waiting.count > most {
            let delivery = waiting.removeFirst()
            delivery.done.wait()
            if error == nil { error = delivery.error }
        }
    }
}

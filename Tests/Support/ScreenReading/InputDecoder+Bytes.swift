package import TerminalUI

extension InputDecoder {
    /// Decodes bytes that arrived at a time.
    package mutating func feed(
        _ bytes: [UInt8],
        at time: ContinuousClock.Instant
    ) -> [InputEvent] {
        bytes.withUnsafeBufferPointer { feed($0, at: time) }
    }
}

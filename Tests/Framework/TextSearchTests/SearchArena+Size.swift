@testable import TextSearch

extension SearchArena {
    /// The bytes of all texts, without waste.
    var byteCount: Int { segments.liveBytes }

    /// All memory that the arena has taken.
    var bytesInUse: Int {
        segments.bytesInUse + 20 * numbers.ids.capacity
            + rowSegments.capacity * MemoryLayout<UInt32>.stride
    }
}

import ObjectModel

/// The observers of a context's objects, by the number in each observed object.
///
/// They are here and not in the objects, so that an object without observers costs nothing.
final class ObservedObjects {
    /// Reports the changes of one setter, merge or refresh together.
    let batch = ObservationBatch()
    @exclusivity(unchecked) private var byNumber: [UInt32: KeyObservers] = [:]
    private var lastNumber: UInt32 = 0

    /// Whether nothing is observed.
    var isEmpty: Bool { byNumber.isEmpty }

    subscript(number: UInt32) -> KeyObservers? { byNumber[number] }

    func add(_ observers: KeyObservers) -> UInt32 {
        lastNumber += 1
        byNumber[lastNumber] = observers
        return lastNumber
    }

    func forget(_ number: UInt32) { byNumber[number] = nil }

    /// Every key may change until the end of the batch.
    ///
    /// - Complexity: O(observed keys).
    func beginTouchingAll() {
        batch.begin()
        for (_, observers) in byNumber.sorted(by: { $0.key < $1.key }) { observers.touchAll() }
    }

    /// All objects leave the context.
    func forgetAll() {
        byNumber = [:]
        batch.forgetAll()
    }

    /// Runs work and reports its changes when all of it has ended.
    @inline(__always)
    func together<Result>(_ body: () throws -> Result) rethrows -> Result {
        if isEmpty { return try body() }
        batch.begin()
        defer { batch.end() }
        return try body()
    }
}

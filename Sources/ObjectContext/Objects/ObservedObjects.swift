import ObjectModel

/// The observers of a context's objects, by the number that each observed object carries.
///
/// They live here and not in the objects, so that an object that nobody observes pays nothing.
final class ObservedObjects {
    /// The changes of one setter, merge or refresh are told together.
    let batch = ObservationBatch()
    private var byNumber: [UInt32: KeyObservers] = [:]
    private var lastNumber: UInt32 = 0

    /// Whether nobody observes anything.
    var isEmpty: Bool { byNumber.isEmpty }

    subscript(number: UInt32) -> KeyObservers? { byNumber[number] }

    func add(_ observers: KeyObservers) -> UInt32 {
        lastNumber += 1
        byNumber[lastNumber] = observers
        return lastNumber
    }

    func forget(_ number: UInt32) { byNumber[number] = nil }

    /// Anything may change until the end of the batch.
    ///
    /// - Complexity: O(observed keys).
    func beginTouchingAll() {
        batch.begin()
        for (_, observers) in byNumber.sorted(by: { $0.key < $1.key }) { observers.touchAll() }
    }

    /// Every object leaves for good.
    func forgetAll() {
        byNumber = [:]
        batch.forgetAll()
    }

    /// Tells what a piece of work changed when all of it is done.
    @inline(__always)
    func together<Result>(_ body: () throws -> Result) rethrows -> Result {
        if isEmpty { return try body() }
        batch.begin()
        defer { batch.end() }
        return try body()
    }
}

import ObjectGraph

/// One test of the laboratory.
protocol LabTest: Sendable {
    var title: String { get }

    /// Does the work that is measured.
    ///
    /// - Parameter context: over a stack that has read nothing yet, if its store is a file.
    /// - Returns: the number of results.
    /// - Throws: what the stack throws.
    func run(in context: ManagedObjectContext) throws -> Int
}

/// The cost of a test.
struct LabResult {
    let title: String
    let results: Int
    let counters: StackCounters
    let time: Duration
}

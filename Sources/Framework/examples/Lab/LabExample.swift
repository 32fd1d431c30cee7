import ObjectGraph

/// A laboratory: the cost of fetching and faulting, in time and in work of the stack.
///
/// The times differ between runs and machines. The counters do not: they show why one way takes
/// longer than another.
struct LabExample: Example {
    let name = "lab"
    let summary = "times and counters of fetches, faults, caches and predicates"
    let defaultSize: Int? = 400

    private static let groups: [(title: String, tests: [LabTest])] = [
        ("Fetching", LabTest.fetching), ("Firing faults", LabTest.faulting),
        ("Caches", LabTest.caching), ("Predicates", LabTest.predicates),
    ]

    func run(in environment: ExampleEnvironment) throws {
        let output = environment.output
        let bench = try LabBench(environment)
        let form = environment.store.rawValue
        output("\(try bench.fill(environment.size)) in a store of the form \(form)")
        for group in Self.groups {
            output.heading(group.title)
            let results = try group.tests.map(bench.measure)
            let head = [
                "", "results", "fetches", "faults", "hits", "misses", "statements", "time",
            ]
            output.rows([head] + results.map(row))
        }
    }

    private func row(_ result: LabResult) -> [String] {
        let counters = result.counters
        let numbers = [
            result.results, counters.fetches, counters.faultsFired, counters.rowCacheHits,
            counters.rowCacheMisses, counters.statements,
        ]
        let time = (result.time / .milliseconds(1)).oneDigit
        return [result.title] + numbers.map { "\($0)" } + ["\(time) ms"]
    }
}

import CReference
import Foundation

/// One line of the table: what was measured, beside its reference in the same run.
struct Result {
    var work: String
    var size: Int
    var value: Double
    var unit: String
    /// The reference's value in the same unit, and what it is.
    var reference: Double?
    var referenceName = ""
    var budget = ""
    /// Whether the budget is met; `nil` without one.
    var isMet: Bool?

    var ratio: Double? { reference.map { value / $0 } }
}

/// The median of several runs, after one that does not count.
func median(_ runs: Int = 5, warm: Bool = true, _ body: () throws -> Double) rethrows -> Double {
    if warm { _ = try body() }
    let values = try (0..<runs).map { _ in try body() }.sorted()
    return values[values.count / 2]
}

/// Seconds that a closure takes.
func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = reference_now()
    try body()
    return reference_now() - start
}

/// Collects results and writes them as a Markdown table.
final class Table {
    private(set) var results: [Result] = []

    func add(_ result: Result) {
        results.append(result)
        print(Table.line(result))
        fflush(stdout)
    }

    func time(
        _ work: String, _ size: Int, _ value: Double, against reference: (String, Double)? = nil,
        atMost ratio: Double? = nil, limit: Double? = nil
    ) {
        var result = Result(work: work, size: size, value: value * 1000, unit: "ms")
        result.reference = reference.map { $0.1 * 1000 }
        result.referenceName = reference?.0 ?? ""
        if let ratio, let measured = result.ratio {
            result.budget = "≤ \(number(ratio))×"
            result.isMet = measured <= ratio
        } else if let limit {
            result.budget = "≤ \(number(limit * 1000)) ms"
            result.isMet = value <= limit
        }
        add(result)
    }

    static func line(_ result: Result) -> String {
        let ratio = result.ratio.map { "\(number($0))×" } ?? ""
        let reference = result.reference.map { "\(result.referenceName) \(number($0))" } ?? ""
        let met = result.isMet.map { $0 ? "met" : "MISSED" } ?? ""
        return "| \(result.work) | \(result.size) | \(number(result.value)) \(result.unit) | "
            + "\(reference) | \(ratio) | \(result.budget) | \(met) |"
    }

    func write(to url: URL) throws {
        var text = """
            # Results

            Written by `make bench`. Medians on one machine, noisy; the ratios to a reference in
            the same run hold better than the times.

            | work | items | measured | reference | ratio | budget | |
            |---|---|---|---|---|---|---|

            """
        for result in results { text += Table.line(result) + "\n" }
        try text.write(to: url, atomically: true, encoding: .utf8)
    }
}

func number(_ value: Double) -> String {
    let digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3
    return String(format: "%.\(digits)f", value)
}

import CReference
import Foundation

/// One line of the table: what was measured, beside its reference in the same run.
struct Result {
    var work: String
    var size: Int
    var value: Double
    var unit: String
    /// The reference's value in the same unit, and what it is.
    var reference: (name: String, value: Double)?
    var budget: Budget?

    enum Budget {
        /// So many times the reference.
        case ratio(Double)
        /// So much, in the unit.
        case value(Double)
        /// Nothing else is permitted: a check, on whatever machine.
        case exactly(Double)
    }

    var ratio: Double? { reference.map { value / $0.value } }

    /// Whether the budget is met; `nil` without one, or without what it is compared with.
    var isMet: Bool? {
        switch budget {
        case .ratio(let most): ratio.map { $0 <= most }
        case .value(let most): value <= most
        case .exactly(let wanted): value == wanted
        case nil: nil
        }
    }

    /// Whether it is a check that has failed.
    var isWrong: Bool {
        if case .exactly = budget { return isMet == false }
        return false
    }

    /// By how much the budget is missed, such as "2.2×, budget 1.6× (1.4 times)".
    var miss: String {
        switch budget {
        case .ratio(let most):
            "\(number(ratio ?? .nan))×, budget \(number(most))×"
                + " (\(number((ratio ?? .nan) / most)) times)"
        case .value(let most), .exactly(let most):
            "\(number(value)) \(unit), budget \(number(most)) \(unit)"
                + " (\(number(value / most)) times)"
        case nil: ""
        }
    }

    var line: String {
        let reference = reference.map { "\($0.name) \(number($0.value))" } ?? ""
        let ratio = ratio.map { "\(number($0))×" } ?? ""
        let limit =
            switch budget {
            case .ratio(let most): "≤ \(number(most))×"
            case .value(let most): "≤ \(number(most)) \(unit)"
            case .exactly(let wanted): "\(number(wanted)) \(unit)"
            case nil: ""
            }
        let met = isMet.map { $0 ? "yes" : "**no**" } ?? ""
        return "| \(work) | \(size) | \(number(value)) \(unit) | \(reference) | \(ratio)"
            + " | \(limit) | \(met) |"
    }
}

/// The median of several runs, after one that does not count.
func median(_ runs: Int = 5, warm: Bool = true, _ body: () throws -> Double) rethrows -> Double {
    if warm { _ = try body() }
    return percentile(try (0..<runs).map { _ in try body() }, 0.5)
}

/// The value below which a part of all values lies.
func percentile(_ values: [Double], _ part: Double) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
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

    static let head = """
        | what | size | measured | reference | ratio | budget | met |
        |---|---|---|---|---|---|---|
        """

    func add(
        _ work: String,
        _ size: Int,
        _ value: Double,
        _ unit: String,
        against reference: (name: String, value: Double)? = nil
    ) {
        let result = Result(
            work: work,
            size: size,
            value: value,
            unit: unit,
            reference: reference,
            budget: Budgets.budget(of: work, size: size)
        )
        results.append(result)
        print(result.line)
        fflush(nil)
    }

    /// Adds a duration in seconds; the row is in milliseconds.
    func time(
        _ work: String,
        _ size: Int,
        _ value: Double,
        against reference: (name: String, value: Double)? = nil
    ) {
        add(
            work,
            size,
            value * 1000,
            "ms",
            against: reference.map { ($0.name, $0.value * 1000) }
        )
    }

    /// Writes the table, with the load of the machine before and after: other programs' work
    /// shows in the times, hardly in the ratios.
    func write(to url: URL, loadBefore: String) throws {
        var text = """
            # Results

            Written by `make bench`. Medians on one machine
            (\(ProcessInfo.processInfo.processorCount) processors; load \(loadBefore) before the run, \
            \(machineLoad()) after it, its own included). The ratios to a reference in the same run
            hold better than the times.

            \(Table.head)

            """
        for result in results { text += result.line + "\n" }
        text += growth
        try text.write(to: url, atomically: true, encoding: .utf8)
    }
}

extension Table {
    /// How each work grows with the number of items: the power of n between its two greatest sizes,
    /// 0 for what does not grow, 1 for what is proportional. Above 1.15, which is more than n log n, a
    /// row is marked.
    private var growth: String {
        var works: [String] = []
        for result in results where !works.contains(result.work) { works.append(result.work) }
        let sizes = Set(results.map(\.size)).filter { $0 >= 1_000 }.sorted()
        guard sizes.count > 1 else { return "" }
        var text = "\n## Growth\n\n| what | \(sizes.map(String.init).joined(separator: " | "))"
        text += " | power of n |\n|---|\(String(repeating: "---|", count: sizes.count + 1))\n"
        for work in works {
            let rows = results.filter { $0.work == work && sizes.contains($0.size) }
            guard let last = rows.last, let first = rows.dropLast().last, first.value > 0 else {
                continue
            }
            let power =
                log(last.value / first.value) / log(Double(last.size) / Double(first.size))
            let values = sizes.map { size in
                rows.first { $0.size == size }.map { "\(number($0.value)) \($0.unit)" } ?? ""
            }
            text += "| \(work) | \(values.joined(separator: " | "))"
            text +=
                " | \(String(format: "%.2f", power))\(power > 1.15 ? " **more than n log n**" : "") |\n"
        }
        return text
    }
}

/// The load of the last minute.
func machineLoad() -> String {
    let text = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)) ?? ""
    return text.split(separator: " ").first.map(String.init) ?? "unknown"
}

func number(_ value: Double) -> String {
    if value == value.rounded(), abs(value) < 1e6 { return String(Int(value)) }
    let digits = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : abs(value) >= 1 ? 2 : 3
    return String(format: "%.\(digits)f", value)
}

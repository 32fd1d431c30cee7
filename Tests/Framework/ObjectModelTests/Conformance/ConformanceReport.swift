import Foundation
import Testing

/// Counts the outcomes of one file and prints its line.
struct ConformanceReport {
    let file: String
    var passed = 0
    var failing: [String] = []
    var deviations: [String] = []

    init(_ file: String) { self.file = file }

    /// Notes whether a case passes; what it throws is why it does not.
    mutating func record(_ id: String, _ deviation: Deviation?, _ passes: () throws -> Bool) {
        var reason = ""
        do {
            if try passes() {
                passed += 1
                return
            }
        } catch {
            reason = " (\(error))"
        }
        if let deviation {
            deviations.append("\(id) (\(deviation.reason))")
        } else {
            failing.append(id + reason)
        }
    }

    var total: Int { passed + failing.count }

    /// Prints the outcome and fails the test unless all passed but the deviations.
    func finish() {
        let list = failing.isEmpty ? "none" : failing.joined(separator: ", ")
        print("conformance \(file) \(passed)/\(total) failing: \(list)")
        for deviation in deviations { print("deliberate deviation in \(file): \(deviation)") }
        #expect(total > 0, "\(file) holds no case")
        #expect(failing.isEmpty, "\(file): \(failing)")
    }
}

/// A case that we decide otherwise on purpose, found by its text: numbers change when the files
/// grow.
struct Deviation {
    let pattern: String
    let reason: String

    static let all = [
        Deviation(
            pattern: #"^\\""#,
            reason: "the text carries the escapes of its source file"
        ),
        Deviation(
            pattern: #"(?i)^(contains|beginswith|endswith|like|matches|between|in)\s+\S"#,
            reason: "a reserved word is a key only with # before it, in Apple's grammar"
        ),
        Deviation(
            pattern: #"^\d+\s*[-+*/]\s*\d+\s*=+\s*\d+$"#,
            reason: "arithmetic is part of Apple's grammar"
        ),
        Deviation(
            pattern: #"(?i)\bIN\s*\{\s*[a-z]\w*"#,
            reason: "an aggregate may hold key paths, in Apple's grammar"
        ),
        Deviation(
            pattern: #"!\s*!|(?i)\bNOT\s+NOT\b"#,
            reason: "NOT may be repeated, in Apple's grammar"
        ),
        Deviation(
            pattern: #"'\\[^bfnrtu0'"/\\]'"#,
            reason: "an unknown escape keeps its backslash, for LIKE and MATCHES"
        ),
    ]

    static func of(_ text: String) throws -> Deviation? {
        try all.first { try Regex($0.pattern).firstMatch(in: text) != nil }
    }
}

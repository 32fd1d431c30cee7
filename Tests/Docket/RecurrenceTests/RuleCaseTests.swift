import CaseFiles
import CivilTime
import Testing

@testable import Recurrence

/// The rules of libical's tests, if the folder with cases is there.
@Suite struct RuleCaseTests {
    @Test(.enabled(if: CaseFiles.has("rrule.json"), "there is no rrule.json (DOCKET_CASES)"))
    func rulesHappenWhenTheCasesSay() throws {
        let cases = try CaseFiles.read("rrule.json").elements
        var failing: [String] = []
        for entry in cases {
            let name = entry["id"]?.text ?? "?"
            let expected = (entry["instances"]?.elements ?? []).compactMap(\.text)
            do {
                let start = try RecurrenceTime(entry["dtstart"]?.text ?? "", in: "DTSTART")
                let rule = try RecurrenceRule(entry["rrule"]?.text ?? "")
                let found = Occurrences(rule, start: start).prefix(expected.count + 1).map {
                    start.replacing($0).description
                }
                // A rule without an end goes on after the instances that are listed.
                let isEndless = rule.parts.end == .never
                if expected.isEmpty || (isEndless ? Array(found.dropLast()) : found) != expected {
                    failing.append(name)
                }
            } catch {
                failing.append("\(name) (\(error))")
            }
        }
        let list = failing.isEmpty ? "none" : failing.joined(separator: ", ")
        print(
            "conformance rrule.json \(cases.count - failing.count)/\(cases.count) failing: \(list)"
        )
        #expect(failing.isEmpty)
    }
}

import CaseFiles
import CivilTime
import Testing
import TimeLanguage

/// The phrases of `dates.json`: a title is right if its due date is one of the accepted ones.
@Suite struct ConformanceTests {
    @Test(.enabled(if: CaseFiles.has("dates.json"), "there is no dates.json"))
    func titlesMeanWhatTheCasesSay() throws {
        var (right, total, wrong) = (0, 0, 0)
        var (negatives, wrongNegatives) = (0, 0)
        var failing: [String] = []
        for item in try CaseFiles.read("dates.json").elements {
            let id = item["id"]?.text ?? "?"
            let accept = item["accept"]?.elements.compactMap(\.text) ?? []
            // The moment of one corpus is in a zone two hours west of UTC.
            let isWest = item["source"]?.text == "duckling"
            let reading = Reading(
                now: item["now"]?.text ?? "",
                zone: ZoneRules(fixed: isWest ? -7200 : 0, name: "corpus")
            )
            let due = reading.due(item["text"]?.text ?? "")
            total += 1
            if accept.isEmpty { negatives += 1 }
            let isRight =
                accept.isEmpty
                ? due.isEmpty
                : accept.contains { $0 == due || ($0.hasPrefix("T") && due.hasSuffix($0)) }
            if isRight {
                right += 1
                continue
            }
            failing.append(id)
            guard !due.isEmpty else { continue }
            wrong += 1
            if accept.isEmpty { wrongNegatives += 1 }
            #expect(Self.deviations[id] != nil, "\(id) was read as \(due), not \(accept)")
        }
        print(
            "conformance dates.json \(right)/\(total) wrong: \(wrong) "
                + "(of \(negatives) without a date: \(wrongNegatives)) failing: "
                + failing.joined(separator: " ")
        )
        for (id, reason) in Self.deviations.sorted(by: { $0.key < $1.key }) {
            print("deliberate deviation in dates.json: \(id) (\(reason))")
        }
        #expect(total > 0)
        #expect(right * 100 >= total * 90, "\(right) of \(total)")
        #expect(wrong * 100 <= total * 2 && wrongNegatives == 0, "\(wrong) of \(total)")
    }

    /// Answers that are not what somebody means who writes down what to do.
    private static let deviations: [String: String] = [
        "duc-123bf850": "counted in days the answer is a day",
        "duc-37e7f786": "counted in days the answer is a day",
        "duc-620c22e6": "counted in days the answer is a day",
        "duc-7d57e253": "a day of the month that is over is the one of the next month",
        "duc-8e6f98ee": "counted in days the answer is a day",
        "duc-d9a23af0": "counted in days the answer is a day",
        "duc-f39686d8": "two cases contradict each other",
    ]
}

import CaseFiles
import Foundation
import Testing

/// Which scenario of `scenarios.json` is encoded by which test.
///
/// The file is not part of the project. Where it is there, every scenario in it is looked up among
/// the marks of the tests; one without a test fails.
@Suite struct ScenarioConformance {
    @Test func everyMarkStandsOnATest() throws {
        let marks = try ScenarioMark.all()
        #expect(marks.count >= 30, "the marks are read from the source: \(marks.count) found")
        for mark in marks {
            #expect(mark.test != nil, "\(mark.id) in \(mark.file) stands on no test")
        }
        let twice = Dictionary(grouping: marks, by: \.id).filter { $0.value.count > 1 }
        for (id, marks) in twice {
            #expect(
                marks.allSatisfy { $0.deviation == nil },
                "\(id) is encoded more than once, and not everywhere alike"
            )
        }
    }

    @Test(.enabled(if: CaseFiles.has("scenarios.json"), "there is no scenarios.json"))
    func scenariosAreEncodedByTests() throws {
        let data = try CaseFiles.data("scenarios.json")
        let scenarios = try JSONDecoder().decode([Described].self, from: data)
        #expect(!scenarios.isEmpty)
        let marks = Dictionary(grouping: try ScenarioMark.all(), by: \.id)
        var mapped = 0
        for scenario in scenarios {
            guard let found = marks[scenario.id], !found.contains(where: { $0.test == nil }) else {
                Issue.record("scenario \(scenario.id) is encoded by no test")
                continue
            }
            mapped += 1
            let tests = found.compactMap(\.test).joined(separator: ", ")
            let reason = found.compactMap(\.deviation).first.map { " (differs: \($0))" } ?? ""
            print("scenario \(scenario.id) → \(tests)\(reason)")
        }
        print("scenarios \(mapped)/\(scenarios.count) mapped")
    }

    private struct Described: Decodable {
        let id: String
    }
}

/// A `.scenario(…)` as it stands in the source of a test.
private struct ScenarioMark {
    let id: String
    let file: String
    let deviation: String?
    /// The suite and the function that it stands on; `nil` if none follows.
    let test: String?

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../..").standardizedFileURL

    /// The marks of every test file of the package.
    static func all() throws -> [ScenarioMark] {
        let tests = root.appending(path: "Tests")
        let walk = try #require(
            FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
        )
        let sources = walk.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        return try sources.filter {
            $0.deletingLastPathComponent().lastPathComponent != "Scenarios"
        }
        .sorted { $0.path < $1.path }
        .flatMap { try marks(in: String(contentsOf: $0, encoding: .utf8), of: $0) }
    }

    private static func marks(in text: String, of file: URL) throws -> [ScenarioMark] {
        let attribute = /@Test\s*\((?<body>(?:[^()"]|"[^"]*"|\([^()]*\))*)\)/
        let body = /\.scenario\((?<arguments>[^)]*)\)/
        let quoted = /"(?<text>[^"]*)"/
        return text.matches(of: attribute).flatMap { found -> [ScenarioMark] in
            guard let arguments = String(found.body).firstMatch(of: body)?.arguments else {
                return []
            }
            let parts = String(arguments).split(separator: "deviation:", maxSplits: 1)
            let reason = parts.count > 1 ? parts[1].firstMatch(of: quoted).map { $0.text } : nil
            let suite = text[..<found.range.lowerBound]
                .matches(of: /\n(?:final class|struct|@Suite struct) (?<name>\w+)/).last?.name
            let function = text[found.range.upperBound...]
                .prefixMatch(of: /\s*(?:private )?func (?<name>\w+)/)?.name
            return (parts.first ?? "").matches(of: quoted).map { id in
                ScenarioMark(
                    id: String(id.text),
                    file: file.lastPathComponent,
                    deviation: reason.map { String($0) },
                    test: function.map { "\(suite ?? "")/\($0)" }
                )
            }
        }
    }
}

import Foundation
import Testing

@Suite("The examples of the manual")
struct ManualExampleTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../../docs/manual").standardizedFileURL

    /// Lines that need a person, a desktop or another program's file.
    private static let excepted = [
        "--install", "--uninstall", "--watch", "--browse", "Recipes", "task export", "--repair",
        "--salvage", "config edit", "--template", "stop --at",
        "~/todo.txt", "docket tour",
    ]

    private static func topics() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { !["vault.md"].contains($0) }.sorted()
    }

    /// The command lines between the fences of a file, and in tables of what to type here.
    private static func lines(of topic: String) throws -> [String] {
        let text = try String(contentsOf: folder.appending(path: topic), encoding: .utf8)
        let parts = text.components(separatedBy: "```").enumerated()
        let fenced = parts.filter { $0.offset % 2 == 1 }
            .flatMap { $0.element.components(separatedBy: "\n") }
        let rows = parts.filter { $0.offset % 2 == 0 && topic == "coming-from.md" }
            .flatMap { $0.element.matches(of: /`(docket [^`]+)`/) }
            .map { String($0.output.1).replacing("\n", with: " ") }
        return (fenced + rows).filter { line in
            line.contains(/^(docket|echo|printf|id=).*/) && line.contains("docket ")
                && !excepted.contains { line.contains($0) }
        }
    }

    private static func sample() throws -> Docket {
        try Docket.copy("examples of the manual") { docket in
            let budget = """
                {"title":"Budget","list":"Work","due":"2026-11-01","priority":3, \
                "tags":["bank","@bank"]}
                """
            let items =
                (1...20).map { number in
                    "{\"id\":\(number),\"title\":\"Pay rent \(number)\",\"list\":\"Home/Garden\","
                        + "\"tags\":[\"errand\",\"home\"\(number == 9 ? ",\"garden\"" : "")],\"due\":\"2026-11-0\(number % 9 + 1)\","
                        + "\"priority\":\(number % 4)"
                        + (number == 5 ? ",\"recurrence\":\"every day\"}" : "}")
                } + [
                    budget
                ]
            try docket.write("[" + items.joined(separator: ",") + "]", to: "items.json")
            try docket.write("Buy milk\n", to: "todo.txt")
            try docket.write("* TODO Draw\n", to: "plans.org")
            #expect(try docket("import", docket.path("items.json")).code == 0)
            #expect(try docket("done", "20").code == 0)
            #expect(try docket("trash", "2").code == 0)
            #expect(try docket("start", "19").code == 0)
        }
    }

    @Test(arguments: try topics())
    func theyAllWork(topic: String) throws {
        let lines = try Self.lines(of: topic)
        let docket = try Self.sample()
        let bin = docket.folder.appending(path: "bin")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: bin.appending(path: "docket").path,
            withDestinationPath: Docket.program
        )
        for line in lines {
            let outcome = try docket.shell("PATH=\(bin.path):$PATH; cd; \(line)")
            // What finds nothing is understood.
            let isNothing =
                outcome.code == 1
                && (outcome.errors.isEmpty || outcome.errors.contains("Nothing is found"))
            #expect(outcome.code == 0 || isNothing, "\(topic): \(line)\n\(outcome.errors)")
        }
        print("\(topic): \(lines.count) examples")
    }

    @Test func thereAreMany() throws {
        #expect(try Self.topics().reduce(0) { try $0 + Self.lines(of: $1).count } > 80)
    }
}

import ChildProcess
import Foundation
import Testing

@Suite("Manual pages")
struct ManualPageTests {
    private static let tool = URL(filePath: #filePath)
        .appending(path: "../../../../Tools/generate-man").standardizedFileURL.path
    private static let programs = ["man", "cmark-gfm", "python3"]

    @Test(
        .enabled(
            if: programs.allSatisfy { InstalledProgram.has($0) },
            "man, cmark-gfm or python3 is not installed"
        )
    )
    func manShowsEachPageWithoutAWarning() throws {
        let docket = try Docket()
        let made = try docket.shell("'\(Self.tool)' \"$docket\" man && find man -name '*.gz'")
        #expect(made.code == 0 && made.lines.count == 5, "\(made)")
        for page in made.lines {
            let shown = try docket.shell("MANWIDTH=80 man --warnings -E UTF-8 -l '\(page)'")
            #expect(shown.code == 0 && shown.errors.isEmpty, "\(page): \(shown.errors)")
            #expect(shown.lines.count > 50 && !shown.output.contains("\\f"), "\(page)")
        }
    }
}

import ChildProcess
import Foundation
import Testing
import VirtualTerminal

/// `docket config` and `docket keys`, with the real program and a real file.
@Suite struct ConfigCommandTests {
    private static let name = ".config/docket/config.toml"
    private static let file = """
        # mine
        theme = "light"  # bright room

        [keys]
        "item.done" = ["x", "space"]

        """

    private func docket(_ config: String? = file) throws -> Docket {
        let docket = try Docket()
        if let config { try docket.write(config, to: Self.name) }
        return docket
    }

    private func text(_ docket: Docket) throws -> String {
        String(decoding: try docket.read(Self.name), as: UTF8.self)
    }

    @Test func getPrintsOneValueWithoutQuotes() throws {
        let docket = try docket()
        for (name, value) in [
            ("theme", "light"), ("ascii", "false"), ("keys.item.done", "x, space"),
            ("keys.item.flag", "f"), ("vault.lock-after", "300"), ("backup.size", "1 GB"),
            ("columns", "due, subtasks, missed, list, tags"),
        ] {
            let outcome = try docket("config", "get", name)
            #expect(outcome.code == 0 && outcome.output == "\(value)\n", "\(name): \(outcome)")
        }
        let unset = try docket("config", "get", "day-hours")
        #expect(unset.code == 1 && unset.output.isEmpty)
        #expect(unset.errors == "docket: day-hours has no value.\n")
        let wrong = try docket("config", "get", "colour")
        #expect(wrong.code == 1)
        #expect(wrong.errors.contains("\"colour\" is not a setting; the settings are"))
    }

    @Test func getAllAsJSONHasEverySetting() throws {
        let docket = try docket()
        let outcome = try docket("config", "get", "--json")
        #expect(outcome.code == 0)
        let object = try JSONSerialization.jsonObject(with: outcome.bytes) as? [String: Any]
        let values = try #require(object)
        #expect(values["theme"] as? String == "light" && values["day-hours"] is NSNull)
        #expect(values["keys.item.done"] as? [String] == ["x", "space"])
        #expect(values["mouse"] as? Bool == true && values["backup.count"] as? Int == 10)
        #expect(try docket("config", "get", "theme", "--json").output == "\"light\"\n")
    }

    @Test func resetTakesSettingsOutAndLeavesComments() throws {
        let docket = try docket()
        let outcome = try docket("config", "reset", "theme", "keys.item.done", "mouse")
        #expect(outcome.code == 0 && outcome.lines.count == 3, "\(outcome)")
        #expect(try text(docket) == "# mine\n# bright room\n\n[keys]\n")
        #expect(try docket("config", "reset", "nothing").code == 1)
    }

    @Test func pathAndCheckNameWhereSomethingIsWrong() throws {
        let docket = try docket()
        let path = docket.path(Self.name)
        #expect(try docket("config", "path").output == "\(path)\n")
        #expect(try docket("config", "check").output == "\(path): nothing is wrong.\n")
        try docket.write(
            """
            theme =  "pink"
              colour = 1
            mouse = yes
            [history]
            steps = 0 # no
            [what]
            x = 1
            """,
            to: Self.name
        )
        let outcome = try docket("config", "check")
        #expect(outcome.code == 1)
        let places = outcome.lines.map { line in
            line.dropFirst(path.count + 1).prefix { $0 != " " }
        }
        #expect(places == ["1:10:", "2:3:", "3:9:", "5:9:", "7:1:"], "\(outcome.output)")
        let themes = "dark, light, dusk, paper, clear, contrast, 16 or mono"
        #expect(outcome.lines[0].hasSuffix("\"pink\" is not a theme; write \(themes)."))
    }

    @Test func editOpensTheEditorAndChecksAfterwards() throws {
        let docket = try docket(nil)
        let script = "cp \"$1\" seen\nprintf '%s' \"$TEXT\" >> \"$1\"\nexit $CODE\n"
        try docket.write("#!/bin/sh\n\(script)", to: "editor")
        _ = try docket.shell("chmod +x editor")
        docket.environment["EDITOR"] = docket.path("editor")
        docket.environment["TEXT"] = ""
        docket.environment["CODE"] = "0"
        // Nothing was written, so there is no file.
        #expect(try docket("config", "edit").code == 0)
        #expect(!FileManager.default.fileExists(atPath: docket.path(Self.name)))
        let sample = String(decoding: try docket.read("seen"), as: UTF8.self)
        #expect(sample.contains("# theme = \"dark\""))
        docket.environment["TEXT"] = "lock = 3\n"
        let wrong = try docket("config", "edit")
        #expect(wrong.code == 1)
        #expect(wrong.output.contains("the folder \"lock\" must be a path"), "\(wrong)")
        docket.environment["CODE"] = "3"
        #expect(try docket("config", "edit").errors.contains("The editor ended with 3"))
    }

    /// Two programs write different settings at the same time, many times: none is lost.
    @Test func settingsOfSeveralProgramsAreAllKept() throws {
        let docket = try docket("# mine\n")
        let roles = ["tag", "list", "link", "code", "done", "title", "dim", "match"]
        let processes = try roles.enumerated().map { index, role in
            try docket.start(
                "/bin/sh",
                ["-c", "for n in 1 2 3 4 5; do \"$docket\" config set colors.\(role) 1$n; done"],
                "set-\(index)"
            )
        }
        for process in processes { #expect(process.wait() == .code(0)) }
        let written = try text(docket)
        for role in roles { #expect(written.contains("\(role) = 15\n"), "\(written)") }
        #expect(written.hasPrefix("# mine\n\n[colors]\n"))
    }

    // MARK: Completion

    @Test func theScriptForBashHasTheCommands() throws {
        let docket = try docket()
        _ = try docket.shell("\"$docket\" --generate-completion-script bash > docket.bash")
        let script = String(decoding: try docket.read("docket.bash"), as: UTF8.self)
        #expect(script.contains("_docket_config_reset") && script.contains("_docket_keys"))
    }

    // MARK: Keys

    private static let picture = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Resources/keys.svg").standardizedFileURL

    @Test func thePictureOfTheKeysIsThatOfTheCommandTable() throws {
        let docket = try docket(nil)
        let outcome = try docket("keys", "--svg", "-")
        #expect(outcome.code == 0 && outcome.errors.isEmpty)
        let picture = try String(contentsOf: Self.picture, encoding: .utf8)
        #expect(outcome.output == picture, "docket keys --svg Resources/keys.svg writes it again")
        let written = try docket("keys", "--svg", "card.svg")
        #expect(written.output == "The keys are in card.svg\n")
    }

    @Test func keysAreThoseOfTheSettings() throws {
        let docket = try docket()
        let card = try docket("keys").output
        #expect(card.contains("x, ␣"), "\(card)")
        #expect(!card.contains("…"), "a pipe gets whole texts")
        docket.environment["LC_ALL"] = "C"
        #expect(try docket("keys").output.allSatisfy(\.isASCII))
    }

    @Test func keysOfTheManualAreThoseOfTheProgram() throws {
        let docket = try docket(nil)
        let manual = try docket("help", "keys").output
        let text = try docket("config", "get", "--json").bytes
        let values = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
        var known: Set<String> = []
        for (name, keys) in values where name.hasPrefix("keys.") {
            for key in keys as? [String] ?? [] { known.insert(key.lowercased()) }
        }
        let rows = manual.split(separator: "\n").filter { $0.hasPrefix("|") && $0.contains("`") }
        #expect(rows.count > 8)
        for row in rows {
            let cells = row.split(separator: "|").enumerated().filter { $0.offset % 2 == 0 }
            for (_, cell) in cells {
                for part in cell.split(separator: "`", omittingEmptySubsequences: false)
                    .enumerated()
                where part.offset % 2 == 1 {
                    let spelling = part.element.lowercased()
                        .replacing("ctrl-", with: "ctrl+").replacing("3 ", with: "")
                    let isBound = known.contains { $0 == spelling || $0.hasPrefix("\(spelling) ") }
                    #expect(isBound, "\(part.element)")
                }
            }
        }
    }
}

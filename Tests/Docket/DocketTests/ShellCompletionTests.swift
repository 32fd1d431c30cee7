import ChildProcess
import Foundation
import Testing
import VirtualTerminal

/// What shells offer at Tab, by the script that the program writes for them.
@Suite("Completion in shells")
struct ShellCompletionTests {
    /// The candidates of a real Bash for a command line, given as Bash divides it.
    private func offered(_ docket: Docket, _ words: String...) throws -> [String] {
        let line = words.joined(separator: " ")
        let last = words.last.map { [":", "="].contains($0) ? "" : $0 } ?? ""
        func quoted(_ text: String) -> String {
            "'\(text.replacingOccurrences(of: "'", with: "'\\''"))'"
        }
        let plain = last.hasPrefix("'") || last.hasPrefix("\"") ? String(last.dropFirst()) : last
        try docket.write(
            """
            source "\(docket.path("docket.bash"))"
            COMP_LINE=\(quoted("docket \(line)"))
            COMP_POINT=${#COMP_LINE}
            COMP_WORDS=("$docket" \(words.map(quoted).joined(separator: " ")))
            COMP_CWORD=\(words.count)
            _docket docket \(quoted(plain)) "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """,
            to: "tab.bash"
        )
        let outcome = try docket.shell("exec bash tab.bash")
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        return outcome.lines
    }

    private func filled() throws -> Docket {
        try Docket.copy("completion") { docket in
            for line in ["Report +Work #home", "Mow +\"Big garden\" #out", "Sow +Home/Garden"] {
                try docket("add", line)
            }
            for name in [
                "Work soon", "Bob's \"best\" (old)", "Spend $(touch pwned)", "Spend `touch pwned`",
                "a:b c", "Wörk 👨‍👩‍👧 \u{202E}x", "50 % & more; <all>",
            ] {
                try docket("lists", "add", "--", name, "rent")
            }
            _ = try docket.shell("\"$docket\" --generate-completion-script bash > docket.bash")
        }
    }

    @Test func bashCompletesListsTagsAndSearches() throws {
        let docket = try filled()
        #expect(try offered(docket, "list", "Wo") == ["Work soon"])
        #expect(try offered(docket, "config", "set", "vault") == ["vault.lock-after"])
        #expect(try offered(docket, "config", "set", "theme", "d") == ["dark", "dusk"])
        #expect(try offered(docket, "config", "get", "keys.item.d").contains("keys.item.done"))
        #expect(try offered(docket, "list", "Wö") == ["Wörk 👨‍👩‍👧 \u{202E}x"])
        #expect(try offered(docket, "list", "Bo") == ["Bob's \"best\" (old)"])
        #expect(try offered(docket, "list", "\"Work so") == ["Work soon"])
        #expect(try offered(docket, "lists", "edit", "50") == ["50 % & more; <all>"])
        #expect(try offered(docket, "lists", "remove", "over") == ["overdue"])
        #expect(try offered(docket, "list", "--list", "Ho") == ["Home", "Home/Garden"])
        #expect(try offered(docket, "add", "Paint", "--list", "Bi") == ["Big garden"])
        #expect(try offered(docket, "add", "Paint", "+Bi") == ["+Big garden"])
        #expect(try docket("add", "Rake", "+Big garden", "soon").output.contains("Big garden"))
        #expect(try docket("list", "list:=\"Big garden\"", "rake").lines.count == 1)
        #expect(try offered(docket, "add", "+Ho") == ["+Home", "+Home/Garden"])
        #expect(try offered(docket, "list", "--tag", "") == ["home", "out"])
        #expect(try offered(docket, "add", "x", "--priority", "m") == ["medium"])
        // Bash takes a search apart at its colon.
        #expect(try offered(docket, "list", "tag", ":", "ho") == ["home"])
        #expect(try offered(docket, "list", "a", ":") == ["b c"])
        #expect(try offered(docket, "done", "list", ":").contains("Home/Garden"))
        #expect(try offered(docket, "search", "pri").first == "priority:high")
        #expect(try offered(docket, "search", "").contains("due:"))
        #expect(
            try offered(docket, "lists", "add", "x", "is", ":", "bl") == ["blocked", "blocking"]
        )
        #expect(try offered(docket, "list", "today", "Wo").isEmpty, "one list is enough")
        #expect(try offered(docket, "edit", "3", "re") == ["repeats=", "remind="])
        #expect(try offered(docket, "edit", "3", "rem").contains("remind=1 day before"))
        #expect(try offered(docket, "edit", "3", "remind", "=", "2") == ["2 h before"])
        #expect(try offered(docket, "edit", "3", "list", "=", "Bi") == ["Big garden"])
        #expect(try offered(docket, "edit", "3", "flagged", "=") == ["yes", "no"])
        #expect(try offered(docket, "edit", "3", "titl") == ["title="])
        #expect(try offered(docket, "help", "re").prefix(2) == ["repeating", "reminders"])
        #expect(try offered(docket, "help", "don") == ["done"])
        #expect(try offered(docket, "help", "sea") == ["search"])
    }

    @Test func aNameThatBashWouldExpandIsOfferedOnlyWhereItDoesNot() throws {
        let docket = try filled()
        #expect(try offered(docket, "list", "Sp").isEmpty)
        #expect(
            try offered(docket, "list", "'Sp") == ["Spend $(touch pwned)", "Spend `touch pwned`"]
        )
        #expect(!FileManager.default.fileExists(atPath: docket.path("pwned")))
    }

    @Test func zshAndFishGetNamesTheirWay() throws {
        let docket = try filled()
        func names(_ shell: String) throws -> [String] {
            docket.environment["SAP_SHELL"] = shell
            defer { docket.environment["SAP_SHELL"] = nil }
            return try docket(
                "---completion",
                "lists",
                "edit",
                "--",
                "positional@0",
                "3",
                "0",
                "docket",
                "lists",
                "edit",
                ""
            ).lines
        }
        #expect(try names("fish").contains("a:b c"))
        #expect(try names("fish").contains("Spend $(touch pwned)"))
        #expect(try names("zsh").contains("a\\:b c"))
        for shell in ["bash", "zsh", "fish"] {
            #expect(try docket("--generate-completion-script", shell).code == 0)
        }
    }

    @Test func aStoreThatIsMissingBrokenOrHeldLeavesTheWordsThatAreAlwaysThere() throws {
        let docket = try filled()
        let other = docket.path("none/store.sqlite")
        #expect(try offered(docket, "list", "--store", other, "over") == ["overdue"])
        #expect(try offered(docket, "list", "--store", other, "Wo").isEmpty)
        #expect(!FileManager.default.fileExists(atPath: docket.path("none")))
        try docket.write(String(repeating: "not a store ", count: 1000), to: "broken")
        let broken = docket.path("broken")
        #expect(try offered(docket, "list", "--store", "=", broken, "over") == ["overdue"])
        #expect(try offered(docket, "list", "--store", "=", broken, "tag", ":", "n") == ["none"])
        // Another program holds the store.
        let held = try docket.shell(
            """
            mkfifo go held
            (echo "PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; SELECT 'held';"; cat go) \\
                | sqlite3 "\(docket.store)" > held &
            read -r line < held
            echo "$line"
            SAP_SHELL=fish "$docket" ---completion lists edit -- positional@0 3 0 docket lists edit ''
            echo "COMMIT;" > go
            wait
            """
        )
        #expect(held.errors.isEmpty, "\(held.errors)")
        #expect(held.lines.contains("overdue"), "\(held.output)")
        #expect(try offered(docket, "list", "Wo") == ["Work soon"])
    }

    // MARK: Real shells at a terminal

    @Test(.enabled(if: InstalledProgram.has("zsh"), "zsh is not installed"))
    func zshPassesOnUnchangedWhatItCompletes() throws {
        try checkWords("zsh", ["-o", "NO_GLOBAL_RCS"]) { check in
            try check("list --tag Ex", ["list", "--tag", "Ex"])
            try check("list --list=Big", ["list", "--list=Big garden"])
            try check("list tag:Big", ["list", "tag:\"Big garden\""])
            try check("edit 1 list=Big", ["edit", "1", "list=Big garden"])
            try check("edit 1 remind=2", ["edit", "1", "remind=2 h before"])
            try check("add 'Pay +Big", ["add", "Pay +\"Big garden\""])
            try check("list --tag 'Ex", ["list", "--tag", "Ex!cl"])
            try check("help repe", ["help", "repeating"])
        }
    }

    @Test(.enabled(if: InstalledProgram.has("bash"), "bash is not installed"))
    func bashPassesOnUnchangedWhatItCompletes() throws {
        try checkWords("bash", [], leavingOut: "$") { check in
            try check("list --tag Ex", ["list", "--tag", "Ex!cl"])
            try check("list --list=Big", ["list", "--list=Big garden"])
            try check("list tag:Big", ["list", "tag:\"Big garden\""])
            try check("edit 1 list=Big", ["edit", "1", "list=Big garden"])
            try check("edit 1 remind=2", ["edit", "1", "remind=2 h before"])
            try check("list --tag 'Cost", ["list", "--tag", "Cost $HOME `x`"])
            try check("help repe", ["help", "repeating"])
        }
    }

    @Test(.enabled(if: InstalledProgram.has("fish"), "fish is not installed"))
    func fishPassesOnUnchangedWhatItCompletes() throws {
        let start = "source $HOME/docket.fish; function fish_prompt; echo -n 'ready> '; end"
        try checkWords("fish", ["--no-config", "-C", start]) { check in
            try check("list --tag Ex", ["list", "--tag", "Ex!cl"])
            try check("list --list=Big", ["list", "--list=Big garden"])
            try check("list tag:Big", ["list", "tag:\"Big garden\""])
            try check("edit 1 list=Big", ["edit", "1", "list=Big garden"])
            try check("edit 1 remind=2", ["edit", "1", "remind=2 h before"])
            try check("add 'Pay +Big", ["add", "Pay +\"Big garden\""])
            try check("help repe", ["help", "repeating"])
        }
    }

    /// Types beginnings of names and Tab into a shell, and compares what a command gets.
    private func checkWords(
        _ shell: String,
        _ arguments: [String],
        leavingOut expanded: Character? = nil,
        _ others: (_ check: (String, [String]) throws -> Void) throws -> Void
    ) throws {
        let names = [
            "Big garden", "Bob's", "Quo\"te", "Cost $HOME `x`", "Über uns", "Back\\slash",
            "Star * [a]? {b,c} ~", "a:b c", "Ex!cl",
        ]
        let docket = try Docket.copy("completion of names") { docket in
            for name in names {
                let quoted = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                try docket("add", "T +\"\(quoted)\" #\"\(quoted)\" @\"\(quoted)\"")
                try docket("lists", "add", "--", "S \(name)", "rent")
            }
        }
        let record = docket.path("passed")
        try docket.write(
            """
            #!/bin/sh
            case $1 in ---*) exec '\(Docket.program)' "$@" ;; esac
            printf '%s\\0' "$@" > '\(record).new' && mv '\(record).new' '\(record)'
            """,
            to: "bin/docket"
        )
        try docket.write(
            "fpath=(~/functions $fpath); autoload -U compinit; compinit -u -D; PS1='ready> '\n",
            to: ".zshrc"
        )
        let scripts = """
            chmod +x bin/docket; mkdir functions
            "$docket" --generate-completion-script zsh > functions/_docket
            "$docket" --generate-completion-script fish > docket.fish
            "$docket" --generate-completion-script bash > docket.bash
            """
        try docket.write("source $HOME/docket.bash; PS1='ready> '\n", to: ".bashrc")
        #expect(try docket.shell(scripts).code == 0)
        let terminal = try VirtualTerminal(
            try #require(InstalledProgram.path(of: shell)),
            arguments: arguments,
            environment: [
                "HOME": docket.folder.path, "DOCKET_STORE": docket.store,
                "PATH": "\(docket.path("bin")):/usr/bin:/bin",
            ]
        )
        try terminal.wait(forText: "ready>")
        func passed(_ line: String) throws -> [String] {
            try terminal.type("docket \(line)\t\r")
            try terminal.wait(for: "what \(line) passes on") {
                FileManager.default.fileExists(atPath: record)
            }
            defer { try? FileManager.default.removeItem(atPath: record) }
            return String(decoding: try docket.read("passed"), as: UTF8.self)
                .split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(
                    String.init
                )
        }
        /// Completion gives up after a second, which a busy machine may need to start a program.
        func passed(_ line: String, wanting expected: [String]) throws -> [String] {
            for _ in 0..<4 {
                let words = try passed(line)
                if words == expected { return words }
            }
            return try passed(line)
        }
        func check(_ line: String, _ expected: [String]) throws {
            let words = try passed(line, wanting: expected)
            #expect(words == expected, "docket \(line)")
        }
        // A shell that would expand a name gets it in quotes alone.
        for name in names.dropLast() where !name.contains(where: { $0 == expanded }) {
            let typed = name.prefix(3)
            let path = name.replacing("\\", with: "\\\\")
            try check("list --tag \(typed)", ["list", "--tag", name])
            try check("list --list \(typed)", ["list", "--list", path])
            try check("lists edit \"S \(typed)", ["lists", "edit", "S \(name)"])
            for (mark, value) in [("+", path), ("@", name)] {
                let words = try passed("add \(mark)\(typed)", wanting: ["add", mark + value])
                #expect(words == ["add", mark + value])
                // Capture takes it for the name, not for text.
                let added = try docket("add", "Check", words.last ?? "").output
                #expect(added.contains(" Check   ") && added.contains(value), "\(added)")
                #expect(!added.contains("new list"), "\(added)")
            }
        }
        try others(check)
    }
}

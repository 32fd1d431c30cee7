import Foundation
import Testing

/// `docket remind` as a timer, a script and a person run it.
@Suite struct RemindCommandTests {
    private let docket: Docket

    init() throws { docket = try Docket() }

    private func moment(_ minutes: Double) -> String {
        ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: minutes * 60))
    }

    /// Adds tasks that remind so many minutes from now, as another program may have written them.
    private func add(_ tasks: (title: String, minutes: Double)...) throws {
        let items = tasks.map {
            #"{"type":"task","title":"\#($0.title)","reminder":"\#(moment($0.minutes))"}"#
        }
        try docket.write("[\(items.joined(separator: ","))]", to: "tasks.json")
        let imported = try docket("import", docket.path("tasks.json"))
        #expect(imported.code == 0, "\(imported)")
    }

    private func program(_ name: String, _ script: String) throws {
        try docket.write("#!/bin/sh\n\(script)\n", to: "bin/\(name)")
        #expect(chmod(docket.path("bin/\(name)"), 0o755) == 0)
        docket.environment["PATH"] = "\(docket.path("bin")):/usr/bin:/bin"
    }

    /// A program in the place of `notify-send`, which writes its arguments into a file.
    private func notifySend(succeeds: Bool = true) throws {
        let print = #"printf '%s\n' "$@" >> "$HOME/shown"; "#
        try program("notify-send", print + "exit \(succeeds ? 0 : 1)")
    }

    @Test func whatHasComeIsPrintedOnce() throws {
        try add(("Call Ana", -5), ("Water", -2), ("Later", 60))
        let first = try docket("remind")
        #expect(first.code == 0 && first.lines.count == 2, "\(first)")
        #expect(first.lines[0].hasSuffix("1 Call Ana") && first.lines[1].hasSuffix("2 Water"))
        let second = try docket("remind")
        #expect(second.code == 1 && second.output.isEmpty && second.errors.isEmpty, "\(second)")
    }

    @Test func asJSONItIsAnArrayAlsoOfNothing() throws {
        try add(("Call Ana", -5))
        let some = try docket("remind", "--json")
        let values = try JSONSerialization.jsonObject(with: some.bytes) as? [[String: Any]]
        #expect(
            values?.first?["title"] as? String == "Call Ana" && values?.first?["id"] as? Int == 1
        )
        #expect(values?.first?["due"] is NSNull)
        let none = try docket("remind", "--json")
        #expect(none.output == "[]\n" && none.code == 1)
    }

    @Test func aNotificationHasNoMarkupAndTheTitleIsNoOption() throws {
        try notifySend()
        try add(("--help <b>&amp;</b>", -5))
        let outcome = try docket("remind", "--notify")
        #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome)")
        let shown = try String(contentsOfFile: docket.path("shown"), encoding: .utf8)
        #expect(shown.hasPrefix("--app-name=Docket\n--\n--help <b>&amp;</b>\n"))
    }

    @Test(arguments: [true, false])
    func whatTheDesktopCannotShowStays(isThere: Bool) throws {
        if isThere {
            try notifySend(succeeds: false)
        } else {
            docket.environment["PATH"] = "/nowhere"
        }
        try add(("Call Ana", -5))
        let failed = try docket("remind", "--notify")
        #expect(failed.code == 1 && failed.errors.contains("notify-send cannot show"), "\(failed)")
        #expect(try docket("remind").lines.count == 1)
    }

    @Test func watchingRemindsAtTheMomentAndFollowsOtherPrograms() throws {
        try add(("Call Ana", -5))
        try docket.write(
            #"[{"type":"task","title":"Now","reminder":"\#(moment(0.02))"}]"#,
            to: "more.json"
        )
        let outcome = try docket.shell(
            """
            mkfifo lines; $docket remind --watch > lines & watching=$!
            { read first; $docket import more.json > /dev/null; read second; } < lines
            kill $watching; echo "$first"; echo "$second"
            """
        )
        #expect(outcome.lines.count == 2, "\(outcome)")
        #expect(outcome.lines[0].hasSuffix("1 Call Ana") && outcome.lines[1].hasSuffix("2 Now"))
    }

    @Test func aTimerIsInstalledWithTheStoreAndRemovedAgain() throws {
        try program("systemctl", #"echo "$@" >> "$HOME/calls""#)
        docket.environment["DOCKET_STORE"] = docket.path("100% \"mine\".sqlite")
        #expect(try docket("remind", "--install").code == 0)
        let units = ".config/systemd/user"
        let unit = try String(
            contentsOfFile: docket.path("\(units)/docket-remind.service"),
            encoding: .utf8
        )
        #expect(unit.contains(#"docket" "remind" "--notify" "--store" ""#))
        #expect(unit.contains(#"/100%% \"mine\".sqlite""#), "\(unit)")
        #expect(try docket("remind", "--uninstall").code == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: docket.path(units)).isEmpty)
        let calls = try String(contentsOfFile: docket.path("calls"), encoding: .utf8)
        #expect(calls.contains("--user --quiet enable --now docket-remind.timer"))
        #expect(calls.contains("--user --quiet disable --now docket-remind.timer"))
        #expect(try docket("remind", "--uninstall").code == 1)
    }

    @Test func withoutSystemdNothingIsLeftAndAnotherWayIsNamed() throws {
        docket.environment["PATH"] = "/nowhere"
        let outcome = try docket("remind", "--install")
        #expect(outcome.code == 1 && outcome.errors.contains("--watch --notify"), "\(outcome)")
        let folder = docket.path(".config/systemd/user")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test func aUnitOfSomebodyElseIsNotReplaced() throws {
        let path = ".config/systemd/user/docket-remind.service"
        try docket.write("[Unit]\n", to: path)
        let outcome = try docket("remind", "--install")
        #expect(outcome.code == 1 && outcome.errors.contains("move it away"), "\(outcome)")
        #expect(try String(contentsOfFile: docket.path(path), encoding: .utf8) == "[Unit]\n")
    }
}

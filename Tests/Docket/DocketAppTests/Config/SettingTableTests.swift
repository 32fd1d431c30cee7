import DocketFormats
import Foundation
import SeededRandom
import TerminalUI
import Testing

@testable import DocketApp

/// What holds for every row of the table of settings, and for the file that is changed by it.
@Suite struct SettingTableTests {
    private func name() -> String { "settings-\(UUID().uuidString)" }

    @Test func everySettingHasAnExampleThatItReads() {
        let all = Setting.all(Settings())
        #expect(Set(all.map(\.name)).count == all.count)
        for setting in all {
            var settings = Settings()
            #expect(setting.read(setting.example, &settings) == nil, "\(setting.name)")
            #expect(setting.value(settings) != nil, "\(setting.name)")
            #expect(Setting.named(setting.name)?.name == setting.name)
            #expect(setting.help.hasSuffix("."), "\(setting.name)")
            for choice in setting.choices where setting.choices.count < 40 {
                #expect((try? setting.entry(choice)) != nil, "\(setting.name) = \(choice)")
            }
            // What counts is written so that it is read as the same.
            guard let value = setting.value(settings) else { continue }
            var again = Settings()
            let line = "\(ConfigFile.left(setting.key)) = \(value.text)"
            again.read("[\(setting.table)]\n\(line)", name: "c")
            if setting.table.isEmpty { continue }
            #expect(again.problems == [] && setting.value(again) == value, "\(setting.name)")
        }
    }

    @Test func everySettingRefusesAValueOfAnotherKind() {
        for setting in Setting.plain {
            var settings = Settings()
            let wrong: ConfigFile.Entry =
                if case .flag = setting.kind { .integer(3) } else { .boolean(true) }
            let problem = setting.read(wrong, &settings)
            #expect(problem?.hasSuffix(".") == true, "\(setting.name): \(problem ?? "")")
            #expect(setting.value(settings) == setting.value(Settings()))
        }
    }

    @Test func theSampleSetsEverythingAndAsCommentsNothing() {
        var settings = Settings()
        settings.read(Setting.sample(isComment: false), name: "c")
        #expect(settings.problems == [])
        for setting in Setting.plain {
            let wanted = setting.value(read(setting.example, setting))
            #expect(setting.value(settings) == wanted, "\(setting.name)")
        }
        var none = Settings()
        none.read(Setting.sample(isComment: true), name: "c")
        #expect(none.problems == [] && none.text == Settings().text)
        for line in Setting.sample(isComment: true).split(separator: "\n") {
            #expect(line.count <= 80, "\(line)")
        }
    }

    @Test func theManualHasTheSample() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../docs/manual/config.md").standardizedFileURL
        let manual = try String(contentsOf: file, encoding: .utf8)
        let sample = Setting.sample(isComment: false)
        #expect(manual.contains("```\n\(sample)```"), "the sample is:\n\(sample)")
    }

    @Test func theArrowsLeadThroughAllChoicesAndStayInARange() throws {
        let theme = try #require(Setting.named("theme"))
        var entry: ConfigFile.Entry? = nil
        for _ in Theme.all { entry = theme.next(entry, by: 1) }
        #expect(entry == .string(Theme.all[Theme.all.count - 1].name))
        #expect(theme.next(entry, by: 1) == .string(Theme.all[0].name))
        let hours = try #require(Setting.named("day-hours"))
        #expect(hours.next(.integer(24), by: 1) == .integer(24))
        #expect(hours.next(.integer(1), by: -1) == .integer(1))
        let count = try #require(Setting.named("backup.count"))
        #expect(count.next(.integer(.max), by: 1) == nil)
    }

    /// A file of random lines, with what they set.
    private func randomFile(_ random: inout SeededRandom) -> String {
        var lines: [String] = []
        let comments = ["# mine", "", "   ", "  # \"quoted\" = 3", "#"]
        for table in ["", "history", "keys", "colors", "mine"] where random.chance(2) {
            if !table.isEmpty { lines.append("[\(table)]") }
            for _ in 0..<random.below(4) {
                lines.append(random.pick(comments))
                let rows = Setting.rows(of: table, Settings())
                guard let setting = random.draw(rows) else {
                    lines.append("some.thing = \"else\"")
                    continue
                }
                let key = ConfigFile.left(setting.key)
                let line = "\(key)  =\(random.chance(2) ? "\t" : "")\(setting.example.text)"
                if lines.contains(where: { $0.hasPrefix(key) }) { continue }
                lines.append(line + random.pick(["", "  # why", " "]))
            }
        }
        return lines.joined(separator: random.chance(3) ? "\r\n" : "\n")
    }

    /// The law: a change changes the line of its key and no other, and is read as it was written.
    @Test(arguments: SeededRandom.seeds(40)) func aChangeLeavesAllOtherLines(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let before = randomFile(&random)
        let setting = random.pick(Setting.all(Settings()))
        let change = SettingChange(setting, setting.example)
        let after = try ConfigFile.text(before, changing: [change], name: "c")
        var settings = Settings()
        settings.read(after, name: "c")
        let wanted = setting.value(read(setting.example, setting))
        #expect(setting.value(settings) == wanted, "\(before)")
        func others(_ text: String) -> [String] {
            text.utf8.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
                .filter { line in
                    let key = ConfigFile(line).lines.first?.key
                    return key != setting.key && line != "[\(setting.table)]"
                        && !line.allSatisfy(\.isWhitespace)
                }
        }
        #expect(others(before) == others(after), "\(before)\n→\n\(after)")
        #expect(try ConfigFile.text(after, changing: [change], name: "c") == after)
        // Taken out, it has its default, and a comment of the line stays.
        let gone = try ConfigFile.text(after, changing: [.init(setting, nil)], name: "c")
        var none = Settings()
        none.read(gone, name: "c")
        #expect(setting.value(none) == setting.value(Settings()))
        func remarks(_ text: String) -> Int { text.components(separatedBy: "# why").count }
        #expect(remarks(gone) == remarks(after))
    }

    private func read(_ entry: ConfigFile.Entry, _ setting: Setting) -> Settings {
        var settings = Settings()
        _ = setting.read(entry, &settings)
        return settings
    }

    @Test func aLineThatIsThereTwiceIsTakenOutTwice() throws {
        let setting = try #require(Setting.named("ascii"))
        let text = "ascii = true # one\nmouse = false\nascii = false\n"
        let gone = try ConfigFile.text(text, changing: [.init(setting, nil)], name: "c")
        #expect(gone == "# one\nmouse = false\n")
    }

    // MARK: The file

    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: name())
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test func aLinkStaysALinkAndPermissionsStay() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let real = folder.appending(path: "dotfiles.toml")
        try "# mine\n".write(to: real, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: real.path)
        let link = folder.appending(path: "config.toml")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
        let file = SettingsFile(link.path)
        try file.change([SettingChange("theme", typed: "paper")])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == real.path)
        #expect(try String(contentsOf: real, encoding: .utf8) == "# mine\ntheme = \"paper\"\n")
        let attributes = try FileManager.default.attributesOfItem(atPath: real.path)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    }

    @Test func whatCannotBeWrittenOrReadIsRefusedAndStays() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "config.toml")
        let file = SettingsFile(url.path)
        let change = try SettingChange("theme", typed: "paper")
        func refusal() -> String {
            do throws(InputError) { try file.change([change]) } catch { return error.message }
            return ""
        }
        let broken = "theme = \"light\"\nname = \"\"\"\ntheme = 1\n\"\"\"\n"
        try broken.write(to: url, atomically: true, encoding: .utf8)
        #expect(refusal().hasPrefix("config.toml, line 2: "))
        #expect(refusal().contains("Nothing was changed"))
        #expect(try String(contentsOf: url, encoding: .utf8) == broken)
        try "theme = \"light\"\n".write(to: url, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: url.path)
        #expect(refusal().contains("may only be read"))
        #expect(try String(contentsOf: url, encoding: .utf8) == "theme = \"light\"\n")
        try FileManager.default.removeItem(at: url)
        try Data([0xFF, 0x0A]).write(to: url)
        #expect(refusal().contains("UTF-8"))
        try FileManager.default.removeItem(at: url)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        #expect(refusal().contains("is a folder"))
    }
}

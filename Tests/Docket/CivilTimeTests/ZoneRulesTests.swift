import ChildProcess
import FixedTime
import Foundation
import SeededRandom
import Testing

@testable import CivilTime

@Suite struct ZoneRulesTests {
    private static let berlin = "/usr/share/zoneinfo/Europe/Berlin"
    private static let hasZoneFiles = FileManager.default.fileExists(atPath: berlin)

    /// Offsets must agree with the C library's, which reads the same files by other code.
    @Test(
        .enabled(if: hasZoneFiles, "there are no zone files (tzdata)"),
        .enabled(if: InstalledProgram.has("date"), "date is not installed"),
        arguments: [
            "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata",
            "America/Sao_Paulo", "Africa/Casablanca", "Pacific/Apia", "UTC", "Europe/Dublin",
        ]
    )
    func offsetsAgreeWithTheSystem(name: String) throws {
        let zone = try #require(ZoneRules.named(name))
        let date = try #require(InstalledProgram.path(of: "date"))
        var random = SeededRandom()
        let moments = (0..<2000).map { _ in Int.random(in: 0..<2_114_380_800, using: &random) }
        try withTemporaryFolder { folder in
            let list = folder + "/moments"
            try moments.map { "@\($0)\n" }.joined().write(
                toFile: list,
                atomically: true,
                encoding: .utf8
            )
            let output = try InstalledProgram.run(
                date,
                ["-f", list, "+%::z"],
                environment: ["TZ": name]
            )
            let offsets = output.split(separator: "\n").map { line in
                let parts = line.dropFirst().split(separator: ":").compactMap { Int($0) }
                let seconds = parts.reduce(0) { $0 * 60 + $1 }
                return line.hasPrefix("-") ? -seconds : seconds
            }
            #expect(moments.map { zone.offset(at: $0) } == offsets)
        }
    }

    @Test func posixRuleGivesSummerTime() throws {
        let zone = try #require(ZoneRules.named("CET-1CEST,M3.5.0,M10.5.0/3"))
        let winter = zone.moment(try #require(Day(year: 2040, month: 1, day: 15)), second: 3600)
        let summer = zone.moment(try #require(Day(year: 2040, month: 7, day: 15)), second: 3600)
        #expect(ISODate.string(winter) == "2040-01-15T00:00:00Z")
        #expect(ISODate.string(summer) == "2040-07-14T23:00:00Z")
    }

    @Test func skippedTimeMovesForwardAndDoubledTimeIsTheFirst() throws {
        let spring = try #require(Day(year: 2027, month: 3, day: 28))
        let autumn = try #require(Day(year: 2027, month: 10, day: 31))
        let skipped = Fixed.berlin.moment(spring, second: 2 * 3600 + 1800)
        #expect(Fixed.berlin.local(skipped).second == 3 * 3600 + 1800)
        let doubled = Fixed.berlin.moment(autumn, second: 2 * 3600 + 1800)
        #expect(ISODate.string(doubled) == "2027-10-31T00:30:00Z")
    }

    @Test func everyLocalTimeThatExistsComesBack() throws {
        var random = SeededRandom()
        for zone in [Fixed.berlin, Fixed.newYork, ZoneRules.utc] {
            for _ in 0..<3000 {
                let date = Date(
                    timeIntervalSince1970: Double(
                        Int.random(in: -2_000_000_000..<6_000_000_000, using: &random)
                    )
                )
                let (day, second) = zone.local(date)
                let again = zone.local(zone.moment(day, second: second))
                #expect(again.day == day && again.second == second)
            }
        }
    }

    @Test func brokenFilesAndRulesAreRefused() {
        #expect(ZoneRules(file: [], name: "x") == nil)
        #expect(ZoneRules(file: Array("TZif2".utf8), name: "x") == nil)
        for text in ["", "X", "No/Such", "CET-1CEST,M13.1.0,M1.1.0", "CET-1CEST,", "../etc/passwd"]
        {
            #expect(ZoneRules.named(text) == nil, "\(text)")
        }
    }

    @Test(.enabled(if: hasZoneFiles, "there are no zone files (tzdata)"))
    func aDamagedZoneFileIsRefusedOrReadWithoutATrap() throws {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: Self.berlin)))
        var random = SeededRandom()
        for _ in 0..<2000 {
            var broken = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
            if let index = broken.indices.randomElement(using: &random) {
                broken[index] = UInt8.random(in: 0...255, using: &random)
            }
            _ = ZoneRules(file: broken, name: "x")?.offset(at: 1_800_000_000)
        }
    }

    @Test func environmentChoosesTheZone() {
        let posix = ZoneRules.local(environment: ["TZ": "EST5"])
        #expect(posix.offset(at: 0) == -5 * 3600)
        #expect(ZoneRules.local(environment: ["TZ": ""]).offset(at: 0) == 0)
        #expect(ZoneRules.local(environment: ["TZ": "No/Such"]).offset(at: 0) == 0)
        let missing = ZoneRules.local(environment: [:], systemFile: "/nonexistent")
        #expect(missing.offset(at: 0) == 0)
    }

    @Test(.enabled(if: hasZoneFiles, "there are no zone files (tzdata)"))
    func aFileOfTheDatabaseGivesTheZoneItsName() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (link, copy) = (
            folder.appending(path: "link").path, folder.appending(path: "copy").path
        )
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: Self.berlin)
        try FileManager.default.copyItem(atPath: Self.berlin, toPath: copy)
        #expect(ZoneRules.local(environment: [:], systemFile: link).name == "Europe/Berlin")
        let copied = ZoneRules.local(environment: [:], systemFile: copy)
        #expect(copied.name == "local" && copied.offset(at: 1_782_000_000) == 7200)
        for text in ["Europe/Berlin", ":Europe/Berlin", Self.berlin, ":" + Self.berlin] {
            let zone = ZoneRules.local(environment: ["TZ": text], systemFile: copy)
            #expect(zone.name == "Europe/Berlin" && zone.offset(at: 1_782_000_000) == 7200)
        }
    }

    @Test(.enabled(if: hasZoneFiles, "there are no zone files (tzdata)"))
    func changesInYearsAreThoseOfTheOffset() throws {
        for name in ["Europe/Berlin", "Africa/Casablanca", "Asia/Tokyo", "Australia/Sydney"] {
            let zone = try #require(ZoneRules.named(name))
            let changes = zone.changes(in: 2020...2045)
            var offset = zone.offset(at: 1_577_836_800)
            var found: [Int] = []
            for moment in stride(from: 1_577_836_800, to: 2_398_377_600, by: 900) {
                if zone.offset(at: moment) != offset { found.append(moment) }
                offset = zone.offset(at: moment)
            }
            #expect(changes.map(\.moment) == found, "\(name)")
        }
    }
}

import FixedTime
import Foundation
import SeededRandom
import Testing

@testable import CivilTime

@Suite struct ISODateTests {
    @Test func datesComeBackToTheLastBit() throws {
        var random = SeededRandom()
        for round in 0..<6000 {
            var seconds = Double.random(in: -1e9..<2e9, using: &random)
            if round % 3 == 0 { seconds.round() }
            if round % 3 == 1 { seconds = (seconds * 1000).rounded() / 1000 }
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            let text = ISODate.string(date)
            let back = try #require(ISODate.moment(text, zone: Fixed.berlin))
            // Nine digits of a second are the limit close to 2001.
            #expect(abs(back.timeIntervalSince(date)) < 1e-9, "\(text)")
            if abs(seconds) > 3e7 { #expect(back == date, "\(text)") }
        }
    }

    @Test(arguments: [
        ("2026-11-22T09:00", "2026-11-22T08:00:00Z"),
        ("2026-11-22 09:00", "2026-11-22T08:00:00Z"),
        ("2026-11-22T09:00:30Z", "2026-11-22T09:00:30Z"),
        ("20261122T090000Z", "2026-11-22T09:00:00Z"),
        ("2026-11-22t09:00:00.250+05:30", "2026-11-22T03:30:00.250Z"),
        ("2026-11-22T09:00-08", "2026-11-22T17:00:00Z"),
        ("2026-11-22", "2026-11-21T23:00:00Z"),
        ("2026-12-31T24:00", "2026-12-31T23:00:00Z"),
    ])
    func textMeansTheMoment(text: String, expected: String) throws {
        let date = try #require(ISODate.moment(text, zone: Fixed.berlin))
        #expect(ISODate.string(date) == expected)
    }

    @Test(arguments: [
        "2026-02-29", "2026-13-01", "2026-11-22T25:00", "2026-11-22T09:61", "20260230T000000Z",
        "0000-01-01",
    ])
    func impossibleDatesAreToldApart(text: String) {
        guard case .impossible = ISODate.read(text) else {
            Issue.record("\(text): \(ISODate.read(text))")
            return
        }
    }

    @Test(arguments: [
        "", "2026", "2026-11", "2026-11-22T", "2026-11-22T9", "hello", "2026-11-22Z",
        "2026-11-22T09:00+", "2026-11-22T09:00:00.Z", "２０２６-11-22", "2026-11-22T09:00Zx",
    ])
    func otherTextIsNoDate(text: String) {
        #expect(ISODate.read(text) == .none)
    }

    @Test(arguments: [
        "9999-12-31T23:59:59Z", "9999-12-31T12:00:00Z", "9923-03-10T12:26:41Z",
        "0001-01-01T00:00:00Z", "0001-01-01T12:00:00Z",
    ])
    func theFirstAndTheLastYearSurvive(text: String) throws {
        let date = try #require(ISODate.moment(text, zone: .utc))
        #expect(ISODate.string(date) == text)
        #expect(ISODate.string(date.addingTimeInterval(1e12)) == "9999-12-31T23:59:59Z")
        #expect(ISODate.string(date.addingTimeInterval(-1e12)) == "0001-01-01T00:00:00Z")
    }
}

import FoundationEssentials
import ObjectModel
import Testing

private final class Card: KeyTableCoding {
    var title = "old"
    var points = 1
    var ratio: Double? = 0.5
    var done = false
    var due: Date?
    var mark: Character = "a"
    var price: Decimal?
    var fixed: Int { 3 }

    static let keyTable: AnyKeyTable = KeyTable<Card> {
        $0.key("title", \.title)
        $0.key("points", \.points)
        $0.key("ratio", \.ratio)
        $0.key("done", \.done)
        $0.key("due", \.due)
        $0.key("mark", \.mark)
        $0.key("price", \.price)
        $0.key("fixed", readOnly: \.fixed)
    }
}

@Suite struct SafeSettingTests {
    @Test func jsonIsBroughtToTheTypesOfTheTable() throws {
        let json = """
            {"title": 12, "points": " 7 ", "ratio": "1.25", "done": "yes", "due": "24.12.2026",
             "mark": "xyz", "price": "10.30", "extra": [1], "fixed": 4}
            """
        guard case .dictionary(let values) = try GraphValue(json: Data(json.utf8)) else {
            Issue.record("no dictionary")
            return
        }
        let card = Card()
        let report = card.setValuesSafely(
            values,
            ValueCoercion(dates: try DatePattern("dd.MM.yyyy"))
        )
        #expect(card.title == "12")
        #expect(card.points == 7)
        #expect(card.ratio == 1.25)
        #expect(card.done)
        #expect(card.due == Date(timeIntervalSince1970: 1_798_070_400))
        #expect(card.mark == "x")
        #expect(card.price == Decimal(string: "10.3"))
        #expect(report.skipped == ["extra", "fixed"])
        #expect(report.refused.isEmpty)
        #expect(report.coerced == ["done", "due", "mark", "points", "price", "ratio", "title"])
    }

    @Test func absentKeysKeepTheirValueAndRefusedOnesChangeNothing() throws {
        let card = Card()
        let report = card.setValuesSafely([
            "points": "1.5", "done": "perhaps", "title": .null, "ratio": .null, "due": true,
        ])
        #expect(card.title == "old")
        #expect(card.points == 1)
        #expect(card.ratio == nil)
        #expect(report.set == ["ratio"])
        #expect(report.coerced.isEmpty)
        #expect(report.refused.map(\.key) == ["done", "due", "points", "title"])
        #expect(report.refused.allSatisfy { !$0.reason.contains("perhaps") })
    }

    @Test func valuesAreBroughtToATypeOrRefused() {
        let cases: [(GraphValue, AttributeType, GraphValue?)] = [
            ("3.0", AttributeType.integer16, GraphValue.int(3)), ("70000", .integer16, nil),
            ("1e2", .integer32, 100), ("abc", .double, nil), ("", .date, .null),
            (3, .string, "3"), (2.0, .string, "2"), (true, .string, "true"), (true, .integer64, 1),
            (0, .boolean, false), (5, .boolean, true),
            (0, .date, .date(Date(timeIntervalSince1970: 0))),
            (.date(Date(timeIntervalSince1970: 60)), .double, 60),
            ("1970-01-01T00:01:00Z", .date, .date(Date(timeIntervalSince1970: 60))),
            ("1970-01-02", .date, .date(Date(timeIntervalSince1970: 86_400))),
            ("not a date", .date, nil), ("aGk=", .binary, .data(Data("hi".utf8))),
            (.array([1]), .string, nil), (.double(.nan), .integer64, nil),
        ]
        for (value, type, expected) in cases {
            #expect(ValueCoercion().value(value, as: type) == expected, "\(value) as \(type)")
        }
    }

    @Test(arguments: [
        ("dd.MM.yy HH:mm", "05.03.24 17:09"),
        ("yyyy-MM-dd'T'HH:mm:ss.SSSZ", "2024-03-05T17:09:08.250+0000"),
        ("HH 'o''clock'", "17 o'clock"), ("MM/dd/yyyy", "03/05/2024"),
    ])
    func patternReadsWhatItWrites(pattern: String, text: String) throws {
        let dates = try DatePattern(pattern)
        let date = try #require(dates.date(from: text))
        #expect(dates.text(of: date) == text)
    }

    @Test func patternRefusesWhatIsNoDate() throws {
        let dates = try DatePattern("dd.MM.yyyy")
        #expect(dates.date(from: "30.02.2024") == nil)
        #expect(dates.date(from: "29.02.2024") != nil)
        #expect(dates.date(from: "1.2.2024") == nil)
        #expect(dates.date(from: "01.02.2024x") == nil)
        #expect(throws: ObjectGraphError.self) { try DatePattern("dd.MMMM") }
    }

    @Test func patternKnowsZones() throws {
        let zone = try #require(TimeZone(secondsFromGMT: 7200))
        #expect(
            try DatePattern("dd.MM.yyyy HH:mm", zone: zone).date(from: "01.01.1970 02:00")
                == Date(timeIntervalSince1970: 0)
        )
        #expect(
            try DatePattern("dd.MM.yyyy HH:mmZ").date(from: "01.01.1970 02:00+01:00")
                == Date(timeIntervalSince1970: 3600)
        )
    }
}

import CivilTime
import Testing
import TimeLanguage

@Suite struct TokensTests {
    @Test func lettersAndDigitsWrittenTogetherAreTokensWithoutSpace() {
        let tokens = Tokens("17h30, 24th Münster’s", .english)
        #expect(tokens.list.map(\.hasSpace) == [true, false, false, false, true, false, true])
        #expect(tokens[0].value == 17)
        #expect(tokens[5].has(.ordinalEnding))
        #expect(tokens[6].key == "münsters")
        #expect(tokens[6].isPossessive)
        #expect(tokens[6].range == 12..<24)
    }

    @Test func barrierIsOneTokenAndHidesItsWords() {
        let tokens = Tokens(Array("call #monday at 9".utf8), .english, barriers: [5..<12])
        #expect(tokens.list.map(\.kind) == [.word, .barrier, .word, .number])
    }

    @Test func expressionOfSeveralWordsIsOneMeaning() throws {
        let tokens = Tokens("new year's eve", .english)
        let phrase = try #require(tokens.phrase(at: 0))
        #expect(phrase.end == 3)
        #expect(phrase.sense.holiday?.day(in: 2026)?.parts.day == 31)
    }

    @Test func germanWordsWrittenTogetherAreRead() {
        #expect(Vocabulary.german.sense(of: "einundzwanzig").number == 21)
        #expect(Vocabulary.german.sense(of: "freitagabend").part == .evening)
        #expect(Tokens("ÜBERMORGEN", .german)[0].sense.day == 2)
    }

    @Test(arguments: [(2000, "4-23"), (2018, "4-1"), (2019, "4-21"), (2027, "3-28"), (1961, "4-2")])
    func easterIsComputed(year: Int, expected: String) throws {
        let day = try #require(Holiday(.easter(0)).day(in: year))
        #expect("\(day.month)-\(day.day)" == expected)
    }
}

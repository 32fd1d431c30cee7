import CivilTime
import DocketCore
import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import TerminalUI
import Testing

@testable import DocketApp
@testable import Phrases

/// The interface in German: every phrase is translated, none is left over, and all of it fits.
@Suite struct GermanTests {
    private static let config = "language = \"de\"\n"

    // MARK: The catalogue

    @Test func everyPhraseOfTheSourcesHasGerman() throws {
        let phrases = try SourcePhrases.read()
        #expect(phrases.phrases.count > 900)
        let missing = phrases.phrases.filter { Catalogue.german.translations[$0] == nil }
        #expect(missing.sorted() == [])
    }

    @Test func noGermanIsLeftOver() throws {
        let phrases = try SourcePhrases.read()
        let nouns = phrases.literals.flatMap { ["%1 \($0)", "%1 \($0)s"] }
        let known = phrases.literals.union(phrases.phrases).union(nouns)
        let unused = Catalogue.german.translations.keys.filter {
            !known.contains($0.split(separator: "\u{4}").last.map(String.init) ?? $0)
        }
        #expect(unused.sorted() == [])
    }

    @Test func aTranslationHasTheValuesOfItsPhrase() {
        func values(_ text: String) -> Set<Substring> {
            Set(text.matches(of: /%[1-9]/).map(\.output))
        }
        for (key, translation) in Catalogue.german.translations {
            #expect(values(key) == values(translation), "\(key)")
            #expect(
                key.first == " " ? translation.first == " " : translation.first != " ",
                "\(key)"
            )
            #expect((key.last == " ") == (translation.last == " "), "\(key)")
        }
        for (pattern, translation) in Catalogue.german.steps {
            #expect(values(translation).count == pattern.count - 1, "\(pattern)")
        }
    }

    /// The rows of the tables, whose texts are phrases by their types.
    @Test func everyRowOfTheTablesIsGerman() {
        let texts = { () -> [String] in
            CommandTable.all.flatMap { [$0.title, $0.help, $0.hint, $0.category.title] }
                + Setting.plain.flatMap { [$0.title, $0.help, $0.unset, $0.section.title] }
                + PaneTable.all.map(\.title.text)
                + SmartList.table.flatMap { [$0.title, $0.emptyText(TestClock().context)] }
                + ItemOrder.allCases.map(\.title.text) + ItemGrouping.allCases.map(\.title.text)
                + Role.allCases.map { Setting.color($0).title }
        }
        let german = Language.$current.withValue(.german, operation: texts)
        let same = zip(texts(), german).filter { $0 == $1 && !$0.isEmpty }.map(\.0)
        #expect(Set(same).subtracting(Self.alike).sorted() == [])
    }

    /// What is the same in both languages.
    private static let alike: Set = ["Agenda", "Text", "Text in $EDITOR"]

    @Test func aTextInEnglishNeedsNoCatalogue() {
        let (count, name) = (3, "Work")
        let phrase: Phrase = "Moved \(count) items to \(name)"
        #expect(phrase.text == "Moved 3 items to Work")
        #expect(Phrase(1, "task").text == "1 task" && Phrase(2, "task").text == "2 tasks")
    }

    // MARK: Names of steps

    @Test(arguments: [
        ("Completed \"Pay rent\"", "„Pay rent“ erledigt"),
        ("Moved 3 tasks to Work", "3 Aufgaben nach Work verschoben"),
        ("Moved \"a to b\" to Home", "„a to b“ nach Home verschoben"),
        ("Edited \"Plan\": due, notes", "„Plan“ bearbeitet: Fälligkeit, Notizen"),
        (
            "Set due of \"Plan\" to Fri 27 Nov 9:00",
            "Fälligkeit von „Plan“ auf Fr 27. Nov 9:00 gesetzt"
        ),
        (
            "Moved due of 2 tasks 1 week later",
            "Fälligkeit von 2 Aufgaben um 1 Woche nach hinten verschoben"
        ),
        ("Deleted the list \"Home\"", "Liste „Home“ gelöscht"),
        (
            "Set reminder of \"Eins\" to 1 day before",
            "Erinnerung von „Eins“ auf 1 Tag vorher gesetzt"
        ),
        (
            "Added the list \"Welcome\" (7 items)",
            "Liste „Welcome“ (7 Einträge) hinzugefügt"
        ),
        ("Completed \"5\" disk\"", "„5\" disk“ erledigt"),
        ("What nobody has named", "What nobody has named"),
    ])
    func aStoredStepIsToldInGerman(name: String, german: String) {
        #expect(Language.$current.withValue(.german) { Phrase.step(name) } == german)
        #expect(Phrase.step(name) == name)
    }

    @Test func theStoreKeepsNamesInEnglish() throws {
        let robot = try Robot(config: Self.config)
        try robot.select("Pay rent")
        try robot.press("space")
        #expect(robot.message.hasPrefix("„Pay rent“ erledigt, nächster Termin "))
        #expect(try robot.undoSteps().first?.hasPrefix("Completed \"Pay") == true)
        try robot.press("u")
        #expect(robot.message.contains("Rückgängig: „Pay rent“ erledigt"), "\(robot.message)")
    }

    // MARK: The screen

    private static let sample = Sample("German") { library in
        for line in [
            "Miete zahlen tomorrow 9:00 #bank +Haus !high", "Garten planen fri +Haus/Garten",
            "Arzt anrufen yesterday !med every week", "Zaun streichen 30m @Baumarkt",
        ] {
            try library.addTask(capturing: line)
        }
        let note = try library.addTask(capturing: "Altes")
        try library.perform(.complete, on: [note])
    }

    private static let keys = [
        "", "a", "n", "e", "o", "D", "t", "m", ":", "?", "/", "/ x x x enter", "U", "U p", "g w",
        "g v", "g", "s", "g a", "g M", "z", "L n", "g e", "g S", "g S enter", "F", "F space",
        "g =", ": e x p enter", "v v j space", ",", ", tab", ", tab tab", ", tab tab tab",
        ", tab tab tab tab tab", "x", "space", "d", "J", "g r", "i", "w", "r", "R", "A D", "A L",
        "g n", "g b", "g x", "g R",
    ]

    /// English words that no German text of the interface has.
    private static let english: Set<String> = [
        "the", "and", "of", "is", "are", "not", "with", "to", "for", "from", "by", "no", "it",
        "shows", "opens", "there", "task", "tasks", "item", "items", "list", "lists", "note",
        "notes", "due", "done", "undo", "nothing", "search", "trash", "today", "tomorrow", "mon",
        "tue", "wed", "thu", "fri", "sat", "sun", "oct", "dec", "add", "edit", "move", "save",
        "cancel", "help", "commands", "quit", "waits", "open", "low", "high", "none", "every",
        "already", "here", "date", "week", "month", "day", "days", "years", "settings", "keys",
    ]

    @Test(arguments: keys, [(24, 80), (36, 120), (10, 40)])
    func noEnglishIsOnTheScreen(keys: String, size: (Int, Int)) throws {
        let robot = try Robot(
            rows: size.0,
            columns: size.1,
            config: Self.config,
            sample: Self.sample
        )
        if !keys.isEmpty { try robot.press(keys) }
        let words = robot.screen.joined(separator: " ")
            .split { !$0.isLetter && !$0.isNumber && !"-.:_$".contains($0) }
        // Names of fields, settings and commands have a point, a colon or a hyphen.
        // So do values of settings, which are as they stand in the file.
        let values = keys.hasPrefix(",") ? Set(Setting.plain.flatMap(\.choices)) : []
        let found = words.filter {
            Self.english.contains($0.lowercased()) && !values.contains(String($0))
        }
        #expect(found == [], "\(keys) at \(size):\n\(robot.screen.joined(separator: "\n"))")
    }

    /// Sentences are cut at the end of their row in every language: help of commands, steps.
    private static let sentences: Set = [":", "U", "U p", "?"]

    @Test(arguments: keys.filter { !sentences.contains($0) }, [(24, 80), (10, 40)])
    func asMuchFitsAsInEnglish(keys: String, size: (Int, Int)) throws {
        func cuts(_ config: String) throws -> Int {
            let robot = try Robot(
                rows: size.0,
                columns: size.1,
                config: config,
                sample: Self.sample
            )
            if !keys.isEmpty { try robot.press(keys) }
            return robot.screen.count { $0.contains("…") }
        }
        #expect(try cuts(Self.config) <= cuts(""), "\(keys) at \(size)")
    }

    @Test func aChangeOfTheLanguageIsSeenAtOnce() throws {
        let robot = try Robot(rows: 36, columns: 120)
        try robot.press(", / l a n g u a g e enter")
        #expect(robot.shows("Language"))
        try robot.press("right")
        #expect(robot.shows("Sprache") && robot.shows("Einstellungen"))
        #expect(!robot.shows("Language"))
        #expect(robot.config.contains("language = \"de\""))
        try robot.press("left")
        #expect(robot.shows("Language"))
    }

    /// Sentences that are made in English below the interface.
    @Test func whatIsWrongIsToldInGerman() throws {
        let robot = try Robot(config: Self.config)
        try robot.select("Pay rent")
        try robot.press("D")
        robot.type("2027-02-29")
        try robot.press("enter")
        #expect(robot.screen.joined().contains("der Februar 2027 hat 28 Tage"))
        try robot.press("esc a")
        robot.type("Müll jeden 32. im Monat")
        #expect(!robot.screen.joined().contains("stays"))
        var text = Settings()
        Language.$current.withValue(.german) {
            text.read("[keys]\n\"item.done\" = \"hyper+x\"\n", name: "config.toml")
        }
        #expect(text.warning?.contains("„hyper“ ist keine Zusatztaste") == true)
        Language.$current.withValue(.german) {
            robot.workspace.tell(
                ObjectGraphError(
                    .saveFailed,
                    "The disk with the database \"a\" is full.",
                    recovery: "Nothing was changed; free some space and try again."
                )
            )
        }
        #expect(
            robot.message
                == "Der Datenträger mit der Datenbank „a“ ist voll. Nichts wurde geändert; "
                + "Platz schaffen und noch einmal versuchen."
        )
    }

    @Test func sentencesOfPartsAreGerman() throws {
        let robot = try Robot(rows: 40, columns: 120, config: Self.config)
        try robot.select("Read a book")
        try robot.press("e")
        #expect(robot.shows("Aufgabe bearbeiten") && robot.shows("Schlagwörter "))
        #expect(robot.shows("[ Speichern ]  [ Abbrechen ]"), "\(robot.text)")
        try robot.press("esc O")
        #expect(robot.shows("Aufgabe hinzufügen"))
        try robot.press("esc h")
        try robot.press("f")
        #expect(robot.message.hasPrefix("„"), "\(robot.message)")
        try robot.press("l /")
        robot.type("zzz")
        #expect(robot.shows("„zzz“") && !robot.shows("\"zzz\""))
        try robot.press("esc g S")
        #expect(robot.shows("Offen ") && robot.shows("die älteste 0 Tage"), "\(robot.text)")
        #expect(!robot.shows("Öffnen "))
    }

    @Test func aMistypedDateIsRefusedInGerman() throws {
        let robot = try Robot(config: Self.config)
        try robot.select("Pay rent")
        try robot.press("D")
        robot.type("quark")
        try robot.press("enter")
        #expect(robot.screen.joined().contains("ist kein Datum"))
    }

    /// What a date or a reminder shows, its field reads.
    @Test func whatIsShownInGermanIsReadAsTheSame() throws {
        var context = TestClock().context
        context.settings.language = .german
        try Language.$current.withValue(.german) {
            let format = DateFormat(context: context)
            for distance in -400...800 {
                let due = DueDate(day: context.today.adding(days: distance))
                #expect(try DateParser(context: context).parse(format.words(due)) == due)
                let full = format.full(due)
                #expect(try DateParser(context: context).parse(full) == due, "\(full)")
            }
            for stored in ["-PT0S", "-PT30M", "-PT2H", "-P1D", "-P7D", "-P14D"] {
                let words = ReminderTimes.words(stored) { format.words($0) }
                let read = try ReminderTimes.typed(words, in: context)
                #expect(read.map { ReminderTimes.words($0) { _ in "" } } == words, "\(words)")
            }
        }
    }
}

/// The phrases and all other literals of the sources, as the catalogue writes them.
private struct SourcePhrases {
    var phrases: Set<String> = []
    var literals: Set<String> = []

    /// The calls whose arguments are phrases.
    private static let calls: Set = [
        "localized", "tell", "InputError", "Hint", "QuestionBox", "EmptyView", "NameBar",
    ]

    static func read() throws -> SourcePhrases {
        var result = SourcePhrases()
        let sources = URL(filePath: #filePath).appending(path: "../../../../../Sources/Docket")
            .standardizedFileURL
        let modules = [
            "DocketApp", "DocketCore", "DocketFormats", "StoreBrowser", "../Framework/Encryption",
        ]
        for module in modules {
            let folder = sources.appending(path: module)
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
                var scanner = LiteralScanner(try String(contentsOf: file, encoding: .utf8))
                scanner.scan()
                for literal in scanner.literals {
                    result.literals.insert(literal.key)
                    if literal.call == "Phrase" {
                        result.phrases.formUnion(["%1 \(literal.key)", "%1 \(literal.key)s"])
                    }
                    let isWords = literal.key.replacing(/%[1-9]/, with: "").contains(/[A-Za-z]{2}/)
                    // The first is a key, the second a context.
                    let isKey = ["Hint": true, "localized": false][literal.call] == literal.isFirst
                    if isWords, !isKey, calls.contains(literal.call), module != "DocketFormats" {
                        result.phrases.insert(literal.key)
                    }
                }
            }
        }
        return result
    }
}

/// Finds the literals of a file with the call that they are an argument of; literals that are joined
/// by `+` are one.
private struct LiteralScanner {
    struct Literal {
        var key: String
        let call: String
        let isFirst: Bool
    }

    private let text: [UInt8]
    private var place = 0
    private var calls: [(name: String, isFirst: Bool)] = []
    private(set) var literals: [Literal] = []

    init(_ text: String) { self.text = Array(text.utf8) }

    private func starts(_ sign: StaticString) -> Bool {
        text[place...].starts(with: "\(sign)".utf8)
    }

    mutating func scan(until end: UInt8? = nil) {
        var depth = 0
        while place < text.count {
            if starts("//") {
                while place < text.count, text[place] != 10 { place += 1 }
            } else if starts("\"\"\"") {
                place += 3
                while place < text.count, !starts("\"\"\"") { place += 1 }
                place += 3
                continue
            } else if starts("\"") {
                literal()
                continue
            } else if starts("(") || starts("[") || starts("{") {
                calls.append((name(), true))
                depth += 1
            } else if starts(")") || starts("]") || starts("}") {
                if depth == 0, end != nil { return }
                depth -= 1
                _ = calls.popLast()
            } else if starts(","), !calls.isEmpty {
                calls[calls.count - 1].isFirst = false
            }
            place += 1
        }
    }

    /// The name before a parenthesis; empty before other ones.
    private func name() -> String {
        if text[place] != UInt8(ascii: "(") { return "" }
        let before = text[..<place].reversed().prefix { byte in
            let letter = Unicode.Scalar(byte)
            return letter.properties.isAlphabetic || byte == 95
        }
        return String(decoding: before.reversed(), as: UTF8.self)
    }

    private mutating func literal() {
        place += 1
        var (key, values) = ([UInt8](), 0)
        let slot = literals.count
        let (call, isFirst) = calls.last ?? ("", true)
        while place < text.count, text[place] != UInt8(ascii: "\"") {
            if starts("\\(") {
                values += 1
                key += Array("%\(values)".utf8)
                place += 2
                calls.append(("", true))
                scan(until: UInt8(ascii: ")"))
                _ = calls.popLast()
            } else if starts("\\") {
                place += 1
                key.append(text[place] == UInt8(ascii: "n") ? 10 : text[place])
            } else {
                key.append(text[place])
            }
            place += 1
        }
        place += 1
        var whole = String(decoding: key, as: UTF8.self)
        let joined = text[place...].prefix { " \n+".utf8.contains($0) }
        if joined.contains(UInt8(ascii: "+")), place + joined.count < text.count,
            text[place + joined.count] == UInt8(ascii: "\"")
        {
            place += joined.count
            let next = literals.count
            literal()
            // The values of the second part are counted on.
            var rest = literals.remove(at: next).key
            for number in stride(from: 9, through: 1, by: -1) where values > 0 {
                rest = rest.replacing("%\(number)", with: "%\(number + values)")
            }
            whole += rest
        }
        literals.insert(Literal(key: whole, call: call, isFirst: isFirst), at: slot)
    }
}

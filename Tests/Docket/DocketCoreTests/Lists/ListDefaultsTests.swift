import CivilTime
import DocketCore
import DocketFormats
import Foundation
import LibraryVerbs
import ObjectGraph
import SeededRandom
import Testing

/// What a new item gets in a list that a search fills.
@Suite struct ListDefaultsTests {
    /// The values in words; empty for none.
    private func given(_ library: Library, _ query: String) throws -> String {
        let lists = try library.smartLists()
        let list = try library.addSmartList(
            SmartListValues(name: "List \(lists.all.count)", query: query)
        ).list
        let defaults = list.defaults(in: library)
        let format = DateFormat(context: library.clock())
        var parts: [String] = []
        if let due = defaults.due { parts.append("due \(format.plain(due))") }
        if let start = defaults.start { parts.append("start \(format.plain(start))") }
        if defaults.priority > 0 { parts.append("priority \(defaults.priority)") }
        if defaults.isFlagged { parts.append("flagged") }
        if let list = defaults.list { parts.append(ListPath.string(list.path)) }
        return (parts + defaults.tags.map { "#\($0)" }).joined(separator: " ")
    }

    @Test func whatTheSearchNamesPlainlyIsGivenAndNothingElse() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        for line in ["a #home #out +Work/Reports", "b +Home/Reports", "c +Home/Garden #Außen"] {
            try library.addTask(capturing: line)
        }
        let today = DateFormat(context: library.clock())
            .plain(DueDate(day: library.clock().today))
        let cases = [
            ("tag:home list:Work priority=high is:flagged", "priority 3 flagged Work #home"),
            ("due:today", "due \(today)"), ("due=today and tag:#HOME", "due \(today) #home"),
            ("(tag:home (tag:out list:Garden))", "Home/Garden #home #out"),
            ("tag:AUßEN", "#Außen"), ("list:Work/… tag:out", "Work #out"),
            ("p:2 start:today", "start \(today) priority 2"),
            // In several ways, or in none.
            ("tag:home or tag:out", ""), ("tag:home,out", ""), ("-tag:home is:flagged", "flagged"),
            ("not (tag:home is:flagged)", ""), ("due:<7d priority>=medium", ""),
            ("due:today..7d", ""),
            ("due:\"next week\"", ""), ("due:none list:none tag:none priority:none", ""),
            ("due:any list:any tag:any priority:any", ""), ("list:inbox tag:home", "#home"),
            ("list:Reports", ""), ("rent title:tax tag:out", "#out"), ("is:open is:task", ""),
            ("created:today done:any", ""), ("due!=today tag!=out", ""),
            // Two conditions that say different things.
            ("due:today due:tomorrow is:flagged", "flagged"), ("list:Work list:Home", ""),
            ("priority:high priority:high", "priority 3"),
        ]
        for (query, wanted) in cases {
            #expect(try given(library, query) == wanted, "\(query)")
        }
    }

    @Test func builtInListsFollowTheSameRuleAlsoChangedOnes() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        let today = DueDate(day: library.clock().today)
        #expect(SmartList.today.defaults(in: library).due == today)
        #expect(SmartList.flagged.defaults(in: library).isFlagged)
        #expect(SmartList.highPriority.defaults(in: library).priority == 3)
        for list in SmartList.table where ![.today, .flagged, .highPriority].contains(list) {
            let defaults = list.defaults(in: library)
            #expect(defaults.due == nil && defaults.start == nil && defaults.list == nil)
            #expect(defaults.priority == 0 && !defaults.isFlagged && defaults.tags.isEmpty)
        }
        var values = SmartListValues(.today)
        values.query = "is:flagged"
        try library.edit(.today, values)
        let changed = try #require(try library.smartLists().current(.today))
        #expect(changed.defaults(in: library).due == nil)
        #expect(changed.defaults(in: library).isFlagged)
    }

    @Test func aSearchWhoseTagIsGoneGivesNothing() throws {
        let folder = try LibraryFolder()
        let library = try folder.open()
        try library.addTask(capturing: "a #only")
        let list = try library.addSmartList(
            SmartListValues(name: "Only", query: "tag:only is:flagged")
        ).list
        for tag in try library.tags() { library.context.delete(tag) }
        try library.context.save()
        let now = try #require(try library.smartLists().current(list))
        let defaults = now.defaults(in: library)
        #expect(defaults.tags.isEmpty && !defaults.isFlagged)
    }

    @Test(arguments: SeededRandom.seeds(4))
    func aNewItemIsInEveryListOfPlainConditions(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        let folder = try LibraryFolder()
        let library = try folder.open()
        try library.addTask(capturing: "a #home #out +Work/Reports")
        try library.addTask(capturing: "b #b\"q +Garden")
        let conditions = [
            "tag:home", "tag:out", "list:Work", "list:Work/Reports", "list:Garden", "list:none",
            "priority:high", "priority=low", "is:flagged", "due:today", "due:tomorrow",
            "start:today",
            "due:\"fri 9:00\"", "is:open", "is:task", "-is:blocked", "not tag:out", "due:+3d",
        ]
        var shown = 0
        for number in 0..<60 {
            let parts = (0..<1 + random.below(4)).map { _ in
                conditions[random.below(conditions.count)]
            }
            let query = parts.joined(separator: random.below(2) == 0 ? " " : " and ")
            let list = try library.addSmartList(
                SmartListValues(name: "List \(number)", query: query)
            ).list
            let defaults = list.defaults(in: library)
            let task = try library.addTask(library.capture("new \(number)"), defaults).task
            let condition = list.condition(library.clock(), showsDone: false)
            let isThere = try library.items(matching: condition).contains(task)
            // What two conditions say differently, nothing can have.
            let fields = Set(parts).filter { !$0.hasPrefix("tag") && !$0.contains("is:") }
                .map { $0.prefix { $0.isLetter } }
            let excludes = parts.contains("not tag:out") && parts.contains("tag:out")
            if Set(fields).count == fields.count, !excludes {
                #expect(isThere, "\(query)")
                shown += 1
            }
        }
        #expect(shown > 20)
    }
}

import Foundation
import Testing

@Suite("Smart lists from the shell")
struct SmartListCommandTests {
    @Test func aSearchIsSavedShownChangedAndRemovedWithUndo() throws {
        let docket = try Docket()
        for line in ["Report fri +Work", "Pay rent tomorrow !high +Home", "Sweep +Home"] {
            try docket("add", line)
        }
        #expect(
            try docket("lists", "add", "At home", "list:Home", "not", "sweep", "--order=-title")
                .output
                == "Added the smart list \"At home\"\n"
        )
        #expect(try docket("list", "at HOME").lines.count == 1)
        #expect(try docket("list", "At home", "--count").output == "1\n")
        #expect(try docket("list", "At home", "tag:none").lines.count == 1)
        #expect(try docket("list", "At home", "priority:low").code == 1)
        #expect(
            try docket("lists", "--saved").output == "At home  list:Home not sweep  saved\n"
        )
        let json = try docket("lists", "--json").output
        let all = try #require(
            try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
        )
        let list = try #require(all.first { $0["name"] as? String == "At home" })
        #expect(list["search"] as? String == "list:Home not sweep")
        #expect(list["order"] as? String == "-title" && list["builtIn"] is NSNull)
        #expect(all.contains { $0["builtIn"] as? String == "today" })
        #expect(
            try docket("lists", "edit", "At home", "--name", "Home", "--search", "list:Home").output
                == "Edited the smart list \"At home\": name, search\n"
        )
        #expect(try docket("list", "Home", "--count").output == "2\n")
        #expect(
            try docket("lists", "remove", "Home").output == "Deleted the smart list \"Home\"\n"
        )
        #expect(try docket("undo").code == 0)
        #expect(try docket("list", "Home", "--count").output == "2\n")
    }

    @Test func aListOfDoneItemsWhoseSearchAsksForOpenOnesShowsThem() throws {
        let docket = try Docket()
        for line in ["Sweep", "Paint"] { try docket("add", line) }
        try docket("done", "1")
        #expect(try docket("list", "done", "--count").output == "1\n")
        try docket("lists", "edit", "done", "--search", "is:open")
        #expect(try docket("list", "done").output.contains("Paint"))
        try docket("lists", "edit", "done", "--search", "sweep")
        #expect(try docket("list", "done").output.contains("Sweep"))
        try docket("lists", "edit", "trash", "--search", "sweep")
        try docket("trash", "1")
        #expect(try docket("list", "trash").output.contains("Sweep"))
    }

    @Test func nameThatReadsAsASearchIsRefused() throws {
        let docket = try Docket()
        try docket("add", "Sweep #home")
        let refused = try docket("lists", "add", "tag:home", "is:open")
        #expect(refused.code == 1)
        #expect(
            refused.errors
                == "docket: \"tag:home\" reads as a search; write another name.\n"
        )
        #expect(try docket("lists", "add", "Work: soon", "is:open").code == 0)
    }

    @Test func aListIsPrintedInItsOwnOrderAndGroups() throws {
        let docket = try Docket()
        for line in [
            "Bake +Work !low", "Ask in 3 days +Home !high", "Dig tomorrow", "Clean +Home",
            "Eat today +Work !high",
        ] {
            try docket("add", line)
        }
        try docket("lists", "add", "Latest", "is:open", "--order=-title")
        #expect(try docket.titles("Latest") == ["Eat", "Dig", "Clean", "Bake", "Ask"])
        #expect(try docket.titles("Latest", "--limit", "2") == ["Eat", "Dig"])
        #expect(try docket.titles("Latest", "priority:high") == ["Eat", "Ask"])
        // A word, which the index of texts finds.
        #expect(try docket.titles("Latest", "--where", "priority == 1") == ["Bake"])
        #expect(try docket.titles("Latest", "eat") == ["Eat"])
        #expect(
            try docket.titles("--limit", "2") == ["Bake", "Ask"],
            "display order without a list"
        )
        // Without a date last, in each group.
        try docket("lists", "add", "By list", "is:open", "--order", "due", "--groups", "list")
        #expect(try docket.titles("By list") == ["Dig", "Eat", "Bake", "Ask", "Clean"])
        let text = try docket("list", "By list").output.split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let heads = text.filter { !$0.contains("○") }
        #expect(heads == ["Inbox", "", "Work", "", "Home", ""], "\(text)")
        #expect(text.firstIndex(of: "Work") == 3 && text[4].contains(" Eat  "))
        #expect(try docket("list", "By list", "--limit", "2").lines.count == 4)
        #expect(try docket("list", "By list", "--count").output == "5\n")
        try docket("lists", "edit", "By list", "--groups", "priority")
        #expect(try docket.titles("By list") == ["Eat", "Ask", "Bake", "Dig", "Clean"])
        try docket("lists", "edit", "By list", "--groups", "due", "--order=-title")
        #expect(try docket.titles("By list") == ["Eat", "Dig", "Ask", "Clean", "Bake"])
        try docket("lists", "edit", "dueSoon", "--order=-due")
        #expect(try docket.titles("dueSoon") == ["Ask", "Dig", "Eat"])
        try docket("lists", "remove", "dueSoon")
        #expect(try docket.titles("dueSoon") == ["Eat", "Dig", "Ask"])
    }

    @Test func aBuiltInListIsChangedAndSetBack() throws {
        let docket = try Docket()
        try docket("add", "Pay rent !medium")
        #expect(
            try docket("lists", "edit", "highPriority", "--search", "priority>=medium", "--hide")
                .output == "Edited the smart list \"High priority\": search, hidden\n"
        )
        #expect(try docket("list", "High priority").lines.count == 1)
        #expect(
            try docket("lists", "--saved").output
                == "High priority  priority>=medium  changed  hidden\n"
        )
        #expect(
            try docket("lists", "remove", "highPriority").output
                == "Restored the smart list \"High priority\"\n"
        )
        #expect(try docket("list", "highPriority").lines.isEmpty)
        #expect(
            try docket("lists", "remove", "highPriority").output
                == "Nothing changed: the smart list High priority is like that already.\n"
        )
        let refused = try docket("lists", "edit", "today", "--name", "Now")
        #expect(refused.code == 1 && refused.errors.contains("Today is built in"))
    }

    @Test(arguments: [
        (["add", "today", "rent"], "built-in list with the name"),
        (["add", "x", "tag:nowhere"], "The tag #nowhere does not exist."),
        (["add", " ", "rent"], "needs a name"),
        (["edit", "nothing", "--hide"], "There is no smart list"),
        (["remove", "nothing"], "There is no smart list"),
    ])
    func whatCannotBeIsRefusedInOneSentence(arguments: [String], sentence: String) throws {
        let docket = try Docket()
        let result = try docket.run(["lists"] + arguments)
        #expect(result.code == 1 && result.output.isEmpty)
        #expect(result.errors.contains(sentence), "\(result.errors)")
    }
}

import Foundation
import Testing

/// Folders of Markdown files in the shell.
@Suite struct FolderCommandTests {
    private func docket() throws -> Docket {
        let docket = try Docket()
        let notes = docket.folder.appending(path: "notes/soups")
        let config = docket.folder.appending(path: ".config/docket")
        for folder in [notes, config] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try docket.write(
            "[folders]\nRecipes = \"~/notes\"\nOld = \"~/old\"\n",
            to: ".config/docket/config.toml"
        )
        try docket.write("---\ntags: [baking]\n---\n# Bread\n\nFlour.\n", to: "notes/bread.md")
        try docket.write("# Leek soup\n\nLeeks.", to: "notes/soups/leek.md")
        return docket
    }

    @Test func folderIsListedWithoutALibrary() throws {
        let docket = try docket()
        let list = try docket("list", "lists/Recipes")
        #expect(list.code == 0)
        #expect(list.lines == ["▸ soups/", "✎ Bread  bread.md  #baking"])
        #expect(try docket("list", "lists/Recipes/soups").lines == ["✎ Leek soup  soups/leek.md"])
        #expect(try docket("list", "lists/Recipes/", "--limit", "1").lines == ["▸ soups/"])
        #expect(!FileManager.default.fileExists(atPath: docket.store))
    }

    @Test func jsonHasAllThatAListTells() throws {
        let docket = try docket()
        let list = try docket("list", "lists/Recipes", "--json")
        let found = try #require(
            try JSONSerialization.jsonObject(with: list.bytes) as? [[String: Any]]
        )
        #expect(found.map { $0["kind"] as? String } == ["folder", "note"])
        #expect(found[1]["path"] as? String == "bread.md")
        #expect(found[1]["title"] as? String == "Bread")
        #expect(found[1]["tags"] as? [String] == ["baking"])
        #expect((found[1]["modified"] as? String)?.hasPrefix("20") == true)
        let empty = try docket("list", "lists/Recipes", "--json", "--limit", "0")
        #expect(empty.output == "[]\n")
        let show = try docket("show", "lists/Recipes/soups/leek.md", "--json")
        let note = try JSONSerialization.jsonObject(with: show.bytes) as? [String: Any]
        #expect(note?["text"] as? String == "# Leek soup\n\nLeeks.")
    }

    @Test func noteIsShown() throws {
        let docket = try docket()
        let show = try docket("show", "lists/Recipes/bread.md")
        #expect(show.code == 0 && show.lines.first == "Bread")
        #expect(show.output.contains("  path      bread.md\n"))
        #expect(show.output.contains("  Flour.\n"))
    }

    @Test(arguments: [
        (["list", "lists/None"], 1, "they are lists/Recipes, lists/Old."),
        (["list", "lists/Recipes/none"], 1, "There is nothing at \"none\" in lists/Recipes."),
        (["list", "lists/Recipes/../.."], 1, "There is nothing at \"../..\" in lists/Recipes."),
        (["list", "lists/Recipes/bread.md"], 1, "\"bread.md\" is a note; docket show shows it."),
        (["show", "lists/Recipes/soups"], 1, "\"soups\" is a folder; docket list lists it."),
        (["list", "lists/Old"], 2, "/old\" does not exist."),
        (["list", "lists/Recipes", "--all"], 64, "--list, --tag and --all are for items"),
        (["done", "lists/Recipes/bread.md"], 1, "lists/Recipes/bread.md"),
    ])
    func errorsAreOneSentence(arguments: [String], code: Int32, sentence: String) throws {
        let docket = try docket()
        let outcome = try docket.run(arguments)
        #expect(outcome.code == code)
        #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }
}

import ArgumentParser
import DocketCore
import DocketFormats

/// `docket tags`: the tags, as the lists pane shows them.
struct TagsCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "tags",
        abstract: "Show the tags with the number of their open items."
    )

    @OptionGroup var store: StoreLocation
    @Flag(help: "As JSON: name, open, and all that are not in the trash.") var json = false

    func perform() throws {
        let tags = try store.open(.reading).tagCounts()
        if json {
            return try Console.print(
                .array(
                    tags.map { tag in
                        .object([
                            JSONMember("name", .string(tag.name)),
                            JSONMember("open", .number(String(tag.open))),
                            JSONMember("all", .number(String(tag.all))),
                        ])
                    }
                )
            )
        }
        for tag in tags { try Console.print("#\(Console.shown(tag.name))  \(tag.open)") }
    }
}

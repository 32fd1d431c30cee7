import Phrases
import StoreBrowser

extension KeyContext {
    static let inspector = KeyContext(name: "inspector")
}

extension InspectorPane {
    static let commands: [Command] =
        [
            Command(
                "inspector.show",
                "Inspect a store",
                keys: ["g e"],
                .program,
                help: "Shows the entities and the objects of any store's file, only reading.",
                synonyms: ["open", "Core Data", "SQLite", "database", "browse"],
                run: { $0.open(InspectBar($0)) }
            )
        ] + BrowserAction.allCases.map(command)

    private static func command(_ action: BrowserAction) -> Command {
        Command(
            "inspector.\(action.rawValue)",
            Phrase(stringLiteral: action.title),
            keys: action.keys,
            .find,
            help: "In an inspected store.",
            hint: Phrase(stringLiteral: action.hint),
            context: .inspector,
            disabled: {
                $0.pane is InspectorPane
                    ? nil : localized("No store is inspected; g e asks for one.")
            },
            run: { try ($0.pane as? InspectorPane)?.perform(action) }
        )
    }
}

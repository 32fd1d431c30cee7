import DocketCore
import DocketFormats

extension CommandTable {
    static let program: [Command] = [
        Command(
            "app.palette",
            "Command palette",
            keys: [":", "ctrl+p"],
            .program,
            help: "Finds a command by a few letters of its name.",
            hint: "commands",
            run: { $0.open(Palette(workspace: $0)) }
        ),
        Command(
            "app.help",
            "Help",
            keys: ["?", "f1"],
            .program,
            help: "Lists all keys.",
            hint: "help",
            synonyms: ["keys", "shortcuts", "manual"],
            run: { $0.open(HelpBox(KeyCard($0.keyMap, ascii: $0.look.isASCII))) }
        ),
        Command(
            "app.export",
            "Export to a file",
            keys: [],
            .program,
            help: "Writes all items to a file; the end of its name says the format.",
            synonyms: ["save as", "backup"] + ExchangeFormat.allCases.map(\.words),
            run: { $0.open(ExportBar(workspace: $0)) }
        ),
        Command(
            "app.import",
            "Import a file",
            keys: [],
            .program,
            help:
                "Adds the items of a file: \(ExchangeFormat.imported.map(\.words).joined(separator: ", ")).",
            synonyms: ["load", "open"] + ExchangeFormat.imported.map(\.words),
            run: { $0.open(ImportBar()) }
        ),
        Command(
            "app.removeSample",
            "Remove the sample",
            keys: ["g W"],
            .program,
            help: "Deletes what is left of the list with which Docket began; u brings it back.",
            synonyms: ["welcome", "example", "tutorial"],
            run: {
                $0.tell(try $0.library.removeSample(), unchanged: "The sample is gone already.")
            }
        ),
        Command(
            "app.skipStep",
            "Next step of the tour",
            keys: ["f2"],
            .program,
            help: "Leaves a step of docket tour out.",
            disabled: {
                $0.tour == nil ? localized("docket tour in the shell begins a tour.") : nil
            },
            run: { $0.tour?.skip() }
        ),
        Command(
            "app.redraw",
            "Redraw the screen",
            keys: ["ctrl+l"],
            .program,
            help: "Redraws a screen that another program wrote on.",
            run: { $0.requests.append(.redraw) }
        ),
        Command(
            "app.suspend",
            "Suspend",
            keys: ["ctrl+z"],
            .program,
            help: "Returns to the shell; fg continues the program.",
            run: { $0.requests.append(.suspend) }
        ),
        Command(
            "app.quit",
            "Quit",
            keys: ["q", "ctrl+c"],
            .program,
            help: "Quits; everything is saved already.",
            hint: "quit",
            synonyms: ["exit", "close", "leave"],
            run: { $0.quit() }
        ),
    ]
}

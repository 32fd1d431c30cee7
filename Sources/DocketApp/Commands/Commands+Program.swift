extension CommandTable {
    static let program: [Command] = [
        Command(
            "app.palette",
            "Command palette",
            keys: [":", "ctrl+p"],
            .program,
            help: "Finds any command by a few letters of its name.",
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
            run: { $0.open(HelpBox(keyMap: $0.keyMap, look: $0.look)) }
        ),
        Command(
            "app.redraw",
            "Draw the screen anew",
            keys: ["ctrl+l"],
            .program,
            help: "Mends a screen that another program wrote on.",
            run: { $0.requests.append(.redraw) }
        ),
        Command(
            "app.suspend",
            "Back to the shell",
            keys: ["ctrl+z"],
            .program,
            help: "Stops the program; fg brings it back.",
            run: { $0.requests.append(.suspend) }
        ),
        Command(
            "app.quit",
            "Quit",
            keys: ["q", "ctrl+c"],
            .program,
            help: "Leaves; everything is saved already.",
            hint: "quit",
            run: { $0.requests.append(.quit) }
        ),
    ]
}

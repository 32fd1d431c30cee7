import Phrases

extension KeyContext {
    static let settings = KeyContext(name: "settings")
}

extension SettingsPane {
    static let commands: [Command] = [
        Command(
            "settings.show",
            "Settings",
            keys: [","],
            .program,
            help: "Shows the settings, colours and keys, and changes them.",
            synonyms: [
                "preferences", "options", "configuration", "theme", "colours", "colors", "dark",
                "light", "key bindings", "shortcuts",
            ],
            run: { workspace in
                workspace.go(to: kind.id)
                try workspace.rereadSettings()
            }
        ),
        command("settings.change", "Change this setting", ["enter", "space"], "change") {
            try $0.change()
        },
        command("settings.next", "Next value", ["l", "right"], "") { try $0.step(by: 1) },
        command("settings.previous", "Previous value", ["h", "left"], "") { try $0.step(by: -1) },
        command("settings.nextSection", "Next part of the settings", ["tab"], "part") {
            $0.showSection(by: 1)
        },
        command("settings.previousSection", "Part before", ["shift+tab"], "") {
            $0.showSection(by: -1)
        },
        command("settings.default", "Back to the default", ["r"], "default") { try $0.reset() },
        command("settings.undo", "Take the last change back", ["u"], "take back") {
            try $0.workspace.stepSettings(back: true)
        },
        command("settings.redo", "Make the change again", ["ctrl+r"], "") {
            try $0.workspace.stepSettings(back: false)
        },
        command("settings.filter", "Find a setting", ["/"], "find") { $0.openFilter() },
        command("settings.file", "Edit the file of the settings", ["E"], "edit the file") {
            try $0.workspace.editSettingsFile()
        },
    ]

    private static func command(
        _ id: String,
        _ title: Phrase,
        _ keys: [String],
        _ hint: Phrase,
        _ run: @escaping @Sendable (SettingsPane) throws -> Void
    ) -> Command {
        Command(
            id,
            title,
            keys: keys,
            .program,
            help: "\(title), in the settings.",
            hint: hint,
            context: .settings,
            disabled: { workspace in
                if workspace.pane is SettingsPane { return nil }
                let key = workspace.key("settings.show")
                return localized("The settings are not open; \(key) shows them.")
            },
            run: { workspace in
                if let settings = workspace.pane as? SettingsPane { try run(settings) }
            }
        )
    }
}

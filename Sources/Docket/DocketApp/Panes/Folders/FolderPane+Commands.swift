import Phrases

extension FolderPane {
    static let commands: [Command] = [
        Command(
            "go.folder",
            "Go to a folder of Markdown files",
            keys: ["g m"],
            .move,
            help: "Shows the first folder of the settings; again, the next one.",
            synonyms: ["notes", "files", "directory"],
            disabled: { workspace in
                workspace.folders.isEmpty
                    ? localized(
                        "There is no folder; [folders] in config.toml names folders of Markdown files."
                    )
                    : nil
            },
            run: { workspace in
                let folders = workspace.folders
                let shown = folders.firstIndex { $0 === workspace.shownFolder } ?? -1
                workspace.show(folders[(shown + 1) % folders.count])
                workspace.go(to: .folder)
            }
        )
    ]
}

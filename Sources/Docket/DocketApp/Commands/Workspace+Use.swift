extension Workspace {
    /// How many commands the palette shows first because they were used last.
    static let mostUsed = 6

    /// Remembers a command for the palette, unless it only moves or opens the palette itself.
    func recordUse(of command: Command) {
        if command.category == .move || command.id == "app.palette" { return }
        usedCommands.removeAll { $0 == command.id }
        usedCommands.insert(command.id, at: 0)
        usedCommands = Array(usedCommands.prefix(Workspace.mostUsed))
    }
}

import DocketFormats
import Phrases

extension SettingsPane {
    var cannotOpen: String? { selected == nil ? localized("There is no setting here.") : nil }
    func open() throws { try change() }

    /// Chooses the next value, or asks for one.
    func change() throws {
        guard let setting = selected else { return }
        switch setting.kind {
        case .flag, .choice: try step(by: 1)
        case .keys(let id):
            if let command = CommandTable.command(id) { workspace.open(KeyBar(command)) }
        case .order, .number, .text, .color:
            workspace.open(SettingBar(setting, settings.value(of: setting, workspace.keyMap)))
        }
    }

    func step(by step: Int) throws {
        guard let setting = selected else { return }
        guard let next = setting.next(setting.value(settings), by: step) else {
            let key = workspace.keyMap.label(of: "settings.change", ascii: look.isASCII)
            return workspace.tell("\(setting.title) is typed; \(key) asks for it.")
        }
        try workspace.change(
            [SettingChange(setting, next)],
            "\(setting.title): \(next.words)"
        )
    }

    /// Takes the setting out of the file.
    func reset() throws {
        guard let setting = selected else { return }
        let isChanged = try workspace.change(
            [SettingChange(setting, nil)],
            localized("\(setting.title): the default")
        )
        if !isChanged { workspace.tell("\(setting.title) has its default already.") }
    }
}

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
        case .color, .sign: workspace.open(SamplePicker(setting, workspace))
        case .order, .number, .text:
            workspace.open(SettingBar(setting, settings.value(of: setting, workspace.keyMap)))
        }
    }

    func step(by step: Int) throws {
        guard let setting = selected else { return }
        guard let next = setting.next(setting.value(settings), by: step) else {
            let key = workspace.key("settings.change")
            return workspace.tell("\(setting.title) is typed; \(key) asks for it.")
        }
        try workspace.change(setting, to: next)
    }

    /// Takes the setting out of the file.
    func reset() throws {
        if let setting = selected { try workspace.change(setting, to: nil) }
    }
}

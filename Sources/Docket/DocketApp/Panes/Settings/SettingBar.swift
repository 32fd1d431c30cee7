import DocketFormats
import Phrases
import TerminalUI

/// Asks for the value of a setting; an empty text takes it out of the file.
final class SettingBar: InputBar {
    private let setting: Setting

    init(_ setting: Setting, _ value: ConfigFile.Entry?) {
        self.setting = setting
        super.init(
            "\(setting.title)",
            text: value.map(\.plain) ?? "",
            placeholder: setting.unset.isEmpty ? "\(setting.example.plain)" : setting.unsetPhrase
        )
        field.offer()
        show()
    }

    override var purpose: String? { localized("setting \(setting.name)") }

    override func textDidChange(in workspace: Workspace) throws { show() }

    /// What the setting takes, or what is wrong with the text.
    private func show() {
        preview = .plain(localized("\(setting.domain); nothing: the default"), .dim)
        if field.isEmpty || !isTyped { return }
        do throws(InputError) { _ = try setting.entry(field.text) } catch {
            preview = .plain(error.message, .warning)
        }
    }

    override func accept(in workspace: Workspace) throws {
        try workspace.change(setting, to: field.isEmpty ? nil : try setting.entry(field.text))
        workspace.close(self)
    }
}

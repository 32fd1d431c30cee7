import CivilTime
import DocketCore
import DocketFormats
import TerminalUI

extension Workspace {
    /// Passes what the settings say on to what works by it.
    func applySettings() {
        library.newLists = settings.newLists
        vault.lockAfter = settings.lockAfter
    }

    /// Changes settings in their file, as one step, and continues with them.
    ///
    /// - Returns: whether the file has changed.
    @discardableResult
    func change(
        _ changes: [SettingChange],
        _ what: @autoclosure () -> String
    ) throws(InputError) -> Bool {
        let name = settingsName
        let (before, after) = try replaceSettings { text throws(InputError) in
            try ConfigFile.text(text, changing: changes, name: name)
        }
        guard before != after else { return false }
        // In the language that they say now.
        let what = Language.$current.withValue(settings.time.language) { what() }
        settingSteps.done.append(.init(what, changes, before: before, after: after))
        settingSteps.undone = []
        tell("\(what)", .success)
        return true
    }

    /// Gives a setting a value, or takes it out of the file.
    func change(_ setting: Setting, to entry: ConfigFile.Entry?) throws(InputError) {
        var words: String { entry.map(\.words) ?? localized("the default") }
        if try change([SettingChange(setting, entry)], "\(setting.title): \(words)") { return }
        tell(
            entry == nil
                ? "\(setting.title) has its default already."
                : "\(setting.title) is \(words) already."
        )
    }

    /// Takes the last change of a setting back, or makes it again.
    func stepSettings(back isBack: Bool) throws(InputError) {
        guard let step = isBack ? settingSteps.done.last : settingSteps.undone.last else {
            return tell(
                isBack
                    ? "No setting was changed in this window."
                    : "No change of a setting was taken back."
            )
        }
        let name = settingsName
        try replaceSettings { text throws(InputError) in
            try step.text(of: text, isBack: isBack, name: name)
        }
        if isBack {
            settingSteps.undone.append(settingSteps.done.removeLast())
        } else {
            settingSteps.done.append(settingSteps.undone.removeLast())
        }
        tell(
            "\(isBack ? localized("Took back") : localized("Changed again")): \(step.what)",
            .success
        )
    }

    /// Takes over what other programs have written into the file.
    func rereadSettings() throws(InputError) {
        if let settingsFile { adopt(try settingsFile.text()) }
    }

    /// Opens the file in the user's editor; one that does not exist begins as a sample of comments.
    func editSettingsFile() throws(InputError) {
        let present = try settingsFile?.text() ?? settings.text
        let text = present.isEmpty ? Setting.sample(isComment: true) : present
        requests.append(
            .edit(text: text, suffix: ".toml") { [weak self] edited in
                guard let self else { return }
                if edited == text { return tell("Nothing changed in \(settingsName).") }
                let (before, after) = try replaceSettings { now throws(InputError) in
                    if now == present { return edited }
                    throw InputError(
                        .malformed,
                        "\(self.settingsName) was changed by somebody else; that change stays."
                    )
                }
                let what = localized("Edited \(settingsName)")
                settingSteps.done.append(.init(what, [], before: before, after: after))
                settingSteps.undone = []
                if let warning = settings.warning { return tell("\(warning)", .warning) }
                tell("\(what)", .success)
            }
        )
    }

    /// The name of the file for messages.
    var settingsName: String { settingsFile?.name ?? localized("the settings of this window") }

    @discardableResult
    private func replaceSettings(
        _ make: (String) throws(InputError) -> String
    ) throws(InputError) -> (before: String, after: String) {
        let texts: (before: String, after: String)
        if let settingsFile {
            texts = try settingsFile.replace(make)
        } else {
            let before = settings.text
            texts = (before, try make(before))
        }
        adopt(texts.after)
        return texts
    }

    private func adopt(_ text: String) {
        settings = settings.rereading(text, name: settingsName)
        requests.append(.adoptSettings)
    }
}

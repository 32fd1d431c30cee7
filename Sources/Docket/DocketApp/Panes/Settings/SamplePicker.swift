import DocketFormats
import TerminalUI

/// The values of a colour or a sign, each with a sample; a last row asks for another one.
final class SamplePicker: MenuBox {
    private let setting: Setting

    init(_ setting: Setting, _ workspace: Workspace) {
        self.setting = setting
        let look = workspace.look
        let present = setting.value(workspace.settings)?.plain
        let isColor = if case .color = setting.kind { true } else { false }
        let now = localized("now")
        var items = [MenuItem(setting.unset, detail: present == nil ? now : "")]
        items += setting.choices.map { choice in
            let color = workspace.settings.noColor ? nil : ColorName.color(choice)
            let style = color.map { Style(foreground: $0) } ?? look[.text]
            let sample = isColor ? (look.isASCII ? "##" : "██") : choice
            return MenuItem(
                isColor ? choice : "",
                detail: choice == present ? now : "",
                synonyms: [choice],
                sample: TextRun(sample, style)
            )
        }
        let other = present.map { !setting.choices.contains($0) } ?? false
        items.append(
            MenuItem(
                localized("another one"),
                detail: other ? "\(now) \(present ?? "")" : setting.domain
            )
        )
        super.init("\(setting.title)", items: items, placeholder: "a name")
        menu.select(items.firstIndex { $0.detail.hasPrefix(now) } ?? 0)
    }

    override func choose(_ index: Int, in workspace: Workspace) throws {
        if index > setting.choices.count {
            return workspace.open(SettingBar(setting, setting.value(workspace.settings)))
        }
        try workspace.change(
            setting,
            to: index == 0 ? nil : try setting.entry(setting.choices[index - 1])
        )
    }
}

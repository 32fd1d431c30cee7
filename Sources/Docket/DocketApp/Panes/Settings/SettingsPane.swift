import CivilTime
import DocketFormats
import Phrases
import TerminalUI

/// The settings by parts, each with its value, and below what the selected one means.
///
/// A change is written to the file at once, and seen at once.
final class SettingsPane: Pane {
    static let kind = PaneKind(
        id: PaneID(name: "settings"),
        place: .whole,
        title: "Settings",
        keyContext: .settings,
        takes: [.window],
        commands: commands
    ) { SettingsPane($0) }

    unowned let workspace: Workspace
    var settings: Settings { workspace.settings }
    var look: Look { workspace.look }
    private var section = Setting.Section.look
    private var filter = ""
    private var list = ListView()
    private var lines: [Line] = []
    /// What the lines were made for.
    private var made: (section: Setting.Section, filter: String, folders: Int, language: Language)?

    private enum Line {
        case heading(String)
        case setting(Setting)
    }

    init(_ workspace: Workspace) { self.workspace = workspace }

    // MARK: Texts

    var head: String {
        let crumb = workspace.look.signs.crumb
        return filter.isEmpty
            ? localized("Settings \(crumb) \(section.title)")
            : localized("Settings \(crumb) \"\(filter)\"")
    }

    var status: [String] {
        let place =
            workspace.settingsFile == nil ? localized("until you quit") : workspace.settingsName
        if workspace.settingSteps.done.isEmpty { return [place] }
        let key = workspace.key("settings.undo")
        let written = workspace.settingsFile == nil ? place : localized("written to \(place)")
        return [written] + (key.isEmpty ? [] : [localized("\(key) takes back")])
    }

    // MARK: Rows

    func prepare() { makeLines() }

    private func makeLines() {
        let wanted = (
            section: section, filter: filter, folders: settings.folders.count,
            language: Language.current
        )
        if let made, made == wanted { return }
        let isOther = made.map { ($0.section, $0.filter) != (section, filter) } ?? true
        made = wanted
        lines = []
        let words = filter.lowercased().split(separator: " ")
        var last = ""
        for setting in Setting.all(settings) {
            let isShown =
                filter.isEmpty ? setting.section == section : isFound(setting, by: words)
            guard isShown else { continue }
            let heading =
                filter.isEmpty || !setting.group.isEmpty ? setting.group : setting.section.title
            if heading != last, !heading.isEmpty { lines.append(.heading(heading)) }
            last = heading
            lines.append(.setting(setting))
        }
        list.update(count: lines.count, selection: isOther ? 0 : nil)
        if isOther { list.select(0) }
        skipHeading(down: true)
    }

    private func isFound(_ setting: Setting, by words: [Substring]) -> Bool {
        let texts = [setting.name, setting.title, setting.help, setting.section.title]
        let text = texts.joined(separator: " ").lowercased()
        return words.allSatisfy(text.contains)
    }

    var selected: Setting? {
        guard let row = list.selection, lines.indices.contains(row),
            case .setting(let setting) = lines[row]
        else { return nil }
        return setting
    }

    // MARK: Moving

    func move(by rows: Int) {
        list.move(by: rows)
        skipHeading(down: rows > 0)
    }

    func page(_ windows: Int) {
        list.page(windows)
        skipHeading(down: windows > 0)
    }

    func moveToEnd(first: Bool) {
        list.select(first ? 0 : lines.count - 1)
        skipHeading(down: true)
    }

    private func skipHeading(down: Bool) {
        list.skip(down: down) { if case .heading = lines[$0] { true } else { false } }
    }

    func showSection(by step: Int) {
        let all = Setting.Section.allCases
        let place = all.firstIndex(of: section) ?? 0
        show(all[(place + step + all.count) % all.count])
    }

    private func show(_ section: Setting.Section) {
        (self.section, filter) = (section, "")
        makeLines()
    }

    func leaveLevel() -> Bool {
        if filter.isEmpty { return false }
        show(filter: "")
        return true
    }

    /// Asks for words that the names and meanings of the shown settings have.
    func openFilter() {
        workspace.open(
            FilterBar(text: filter, show: { [weak self] text in self?.show(filter: text) })
        )
    }

    private func show(filter: String) {
        self.filter = filter
        makeLines()
    }

    // MARK: Drawing

    private static let sectionColumns = 14
    private static let labelColumns = 30

    /// The places of the parts, of the rows and of the note below them.
    private func places(in area: Rect) -> (sections: Rect?, rows: Rect, note: Rect?) {
        var (rows, sections, note): (Rect, Rect?, Rect?) = (area, nil, nil)
        if area.columns >= 60 {
            sections = area
            sections?.columns = SettingsPane.sectionColumns
            rows = area.inset(left: SettingsPane.sectionColumns + 1)
        }
        if area.rows >= 8 {
            let noteRows = area.rows < 16 ? 3 : area.columns >= 110 ? 4 : 5
            note = rows.inset(top: area.rows - noteRows)
            rows = rows.inset(bottom: noteRows)
        }
        return (sections, rows, note)
    }

    func render(into canvas: inout Canvas, isFocused: Bool) -> PaneExtent {
        let places = places(in: canvas.bounds)
        if let area = places.sections {
            canvas.draw(in: area) { renderSections(into: &$0) }
            var line = area
            (line.column, line.columns) = (area.endColumn, 1)
            canvas.fill(line, with: canvas.symbols.vertical, style: look[.border])
        }
        list.layout(rows: places.rows.rows)
        if let note = places.note { canvas.draw(in: note) { renderNote(into: &$0) } }
        guard !lines.isEmpty else {
            let text = localized("No setting matches \"\(filter)\". Esc shows all.")
            canvas.draw(in: places.rows) { EmptyView(text: text, look: look).render(into: &$0) }
            return PaneExtent()
        }
        canvas.draw(in: places.rows) { canvas in
            list.render(into: &canvas, theme: look.theme, isFocused: isFocused) { row, canvas in
                switch lines[row.index] {
                case .heading(let text):
                    canvas.put(text, at: Position(row: 0, column: 1), style: look[.heading])
                case .setting(let setting):
                    render(setting, isSelected: row.isSelected, into: &canvas)
                }
            }
        }
        return PaneExtent(list, rows: places.rows.rows)
    }

    private func renderSections(into canvas: inout Canvas) {
        for (row, one) in Setting.Section.allCases.enumerated() where row < canvas.rows {
            let isShown = filter.isEmpty && one == section
            let sign = isShown ? String(Character(canvas.symbols.pointer)) : " "
            canvas.put(
                "\(sign) \(one.title)",
                at: Position(row: row, column: 0),
                width: canvas.columns,
                style: look[isShown ? .title : .text]
            )
        }
    }

    /// `▌Theme          ‹ dusk ›        contrast 7.1 : 1`; the mark says that it is set.
    private func render(_ setting: Setting, isSelected: Bool, into canvas: inout Canvas) {
        let width = canvas.columns
        let lead = min(SettingsPane.labelColumns, width / 2)
        let mark = settings.isSet(setting) ? String(Character(canvas.symbols.mark)) : " "
        canvas.put(mark, at: Position(row: 0, column: 0), style: look[.marked])
        canvas.put(
            setting.title,
            at: Position(row: 0, column: 1),
            width: max(0, lead - 2),
            style: look[.text]
        )
        let (value, role) = shown(setting)
        let isStepped = isSelected && setting.next(setting.value(settings), by: 1) != nil
        let (before, after) = look.isASCII ? ("< ", " >") : ("‹ ", " ›")
        var runs = isStepped ? [TextRun(before, look[.hintKey])] : []
        runs.append(TextRun(value, look[role]))
        if isStepped { runs.append(TextRun(after, look[.hintKey])) }
        let remark = remark(on: setting)
        let room = max(0, width - lead)
        let used = runs.reduce(0) { $0 + DisplayWidth.of($1.text) }
        canvas.put(runs, at: Position(row: 0, column: lead), width: room)
        let columns = DisplayWidth.of(remark)
        guard columns > 0, used + columns + 2 <= room else { return }
        canvas.put(
            remark,
            at: Position(row: 0, column: width - columns),
            style: look[.dim]
        )
    }

    private func shown(_ setting: Setting) -> (text: String, role: Role) {
        if case .keys(let id) = setting.kind {
            let keys = workspace.keyMap.labels(of: id, ascii: look.isASCII)
            return keys.isEmpty ? (setting.unset, .dim) : (keys, .hintKey)
        }
        let value = setting.value(settings)
        let role = role(of: setting) ?? (value == nil ? .dim : .text)
        return (value.map(\.words) ?? setting.unset, role)
    }

    private func remark(on setting: Setting) -> String {
        if setting.name == "theme" {
            return look.theme.leastContrast.map { localized("contrast \(ratio($0))") }
                ?? localized("the terminal chooses the contrast")
        }
        return role(of: setting).flatMap(look.theme.contrast).map(ratio) ?? ""
    }

    /// The role whose colour a setting is, so that it is shown in that colour.
    private func role(of setting: Setting) -> Role? {
        setting.table == "colors" ? Role.allCases.first { "\($0)" == setting.key } : nil
    }

    private func ratio(_ contrast: Double) -> String {
        let tenths = Int(contrast * 10)
        return "\(tenths / 10).\(tenths % 10) : 1"
    }

    /// What the selected setting means, and what counts without it.
    private func renderNote(into canvas: inout Canvas) {
        guard let setting = selected, canvas.rows > 1 else { return }
        var line = canvas.bounds
        line.rows = 1
        canvas.fill(line, with: canvas.symbols.horizontal, style: look[.border])
        let usual = setting.value(Settings()).map(\.words) ?? setting.unset
        let separator = " \(look.signs.separator) "
        let facts = [
            setting.name, localized("default: \(usual.isEmpty ? localized("none") : usual)"),
            setting.domain,
        ]
        let width = max(1, canvas.columns - 2)
        let texts = [(setting.help, Role.text), (facts.joined(separator: separator), .dim)]
        var row = 1
        for (index, (text, role)) in texts.enumerated() {
            // The last row that a text has shows that it goes on.
            let room = index == 0 ? max(1, canvas.rows - 3) : canvas.rows - row
            let lines = DisplayWidth.wrapped(text, columns: width)
            for (place, line) in lines.prefix(room).enumerated() {
                let rest = place == room - 1 ? lines[place...].joined(separator: " ") : "\(line)"
                let shown = DisplayWidth.truncate(rest, to: width, symbols: canvas.symbols)
                canvas.put(shown, at: Position(row: row, column: 1), style: look[role])
                row += 1
            }
        }
    }

    // MARK: Mouse

    /// A click selects a setting or a part; one on the value of the selected setting changes it.
    func handle(_ mouse: MouseEvent, in area: Rect) throws {
        let places = places(in: Rect(area.size))
        let position = Position(
            row: mouse.position.row - area.row,
            column: mouse.position.column - area.column
        )
        let isPress = mouse.kind == .press && mouse.button == .left
        if isPress, let sections = places.sections, sections.contains(position) {
            let all = Setting.Section.allCases
            if all.indices.contains(position.row) { show(all[position.row]) }
            return
        }
        var local = mouse
        local.position = position
        let before = list.selection
        let outcome = list.handle(local, in: places.rows)
        skipHeading(down: true)
        let lead = places.rows.column + min(SettingsPane.labelColumns, places.rows.columns / 2)
        if isPress, let row = outcome.row, row == before, list.selection == row,
            position.column >= lead
        {
            try change()
        }
    }

    func select(at position: Position, in area: Rect) -> Bool {
        var rows = places(in: Rect(area.size)).rows
        (rows.row, rows.column) = (rows.row + area.row, rows.column + area.column)
        list.select(at: position, in: rows)
        skipHeading(down: true)
        return list.row(at: position, in: rows) != nil
    }
}

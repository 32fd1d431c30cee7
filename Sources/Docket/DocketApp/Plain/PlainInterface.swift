import CivilTime
public import DocketCore
import TerminalUI

/// The interface as a conversation in lines, for screen readers and for terminals that cannot place
/// a cursor: nothing is drawn, and nothing that was printed changes.
///
/// It is a front end over the same workspace, commands and modals as the panes:
///
/// ```
/// a line ─→ a number: that row ─────────────┐
///     ├───→ keys, as the key map has them ──┼─→ workspace ─→ what is new is printed as lines
///     ├───→ a command by its name ──────────┘
///     └───→ while a modal is open: its answer (``PlainInterface/answer(_:)``)
/// ```
public final class PlainInterface {
    public let application: Application
    private let read: (String) -> String?
    private let print: (String) -> Void
    private var said = Said()
    /// What a number chooses, after a name has had several meanings.
    private var offered: [Command] = []

    var workspace: Workspace { application.workspace }

    /// What was printed last, so that only what is new is said.
    private struct Said: Equatable {
        var place = ""
        var row = ""
    }

    /// - Parameters:
    ///   - library: the open store.
    ///   - settings: the user's settings; signs are ASCII, and colours are left out.
    ///   - read: prints a prompt and returns the line that was typed; `nil` at the end of the input.
    ///   - print: prints a line.
    ///   - lend: runs a program on the terminal, such as an editor, and returns its exit status.
    /// - Throws: `ObjectGraphError` if the store cannot be read.
    public init(
        library: Library,
        settings: Settings,
        read: @escaping (String) -> String?,
        print: @escaping (String) -> Void,
        lend: @escaping ([String]) throws -> Int32
    ) throws {
        (self.read, self.print) = (read, print)
        var settings = settings
        settings.isASCIIForced = true
        settings.noColor = true
        application = try Application(
            library: library,
            device: PlainDevice(print: print, lend: lend),
            settings: settings
        )
        application.follow(library)
    }

    /// Reads and answers lines until the user quits or the input ends.
    ///
    /// - Returns: the exit status.
    public func run() -> Int32 { application.inItsLanguage(converse) }

    private func converse() -> Int32 {
        print(
            localized(
                "Docket. Type a command by its name, or a key. \"help\" lists them, \"q\" quits."
            )
        )
        while true {
            settle()
            sayNews()
            if let status = application.status { return status }
            guard let line = read(prompt) else {
                workspace.quit()
                settle()
                return application.status ?? 0
            }
            // Nothing wakes a program that waits for a line.
            application.takeExternalChanges()
            application.takeSyncNews()
            if workspace.modal == nil { perform(line) } else { answer(line) }
        }
    }

    // MARK: Lines without a modal

    private func perform(_ line: String) {
        let words = line.split(separator: " ").joined(separator: " ")
        if let number = Int(words) { return choose(number) }
        offered = []
        switch words.lowercased() {
        case "": said = Said()
        case "rows", "list": sayRows()
        case "details", "show": sayDetails()
        case "help", "commands": sayCommands()
        default:
            if let keys = keys(words) { return send(keys) }
            run(named: words)
        }
    }

    /// The keys of a line, with blanks between them or as they are printed: `g M`, `gM`.
    private func keys(_ words: String) -> [Key]? {
        if let keys = try? Key.sequence(words), isBound(keys) { return keys }
        return CommandTable.all.lazy.flatMap { [workspace] in workspace.keyMap.keys(of: $0.id) }
            .first { KeyLabel.of($0, ascii: true) == words && self.isBound($0) }
    }

    private func isBound(_ keys: [Key]) -> Bool {
        [workspace.paneKind.keyContext, .main].contains { context in
            let meaning = workspace.keyMap.meaning(of: keys, in: context)
            return if case .command = meaning { true } else { false }
        }
    }

    /// Goes to a row by its number, or runs one of the commands that a name may mean.
    private func choose(_ number: Int) {
        if !offered.isEmpty {
            guard offered.indices.contains(number - 1) else {
                return print(localized("There are \(offered.count) commands."))
            }
            let command = offered[number - 1]
            offered = []
            return command.perform(in: workspace)
        }
        guard number > 0 else { return print(localized("Rows are numbered from 1.")) }
        workspace.respond {
            if let spoken = workspace.pane.spokenRows { return try spoken.select(number) }
            try workspace.pane.moveToEnd(first: true)
            workspace.pane.move(by: number - 1)
        }
        said.row = ""
    }

    private func run(named words: String) {
        let all = CommandTable.all.filter {
            $0.context == .main || $0.context == workspace.paneKind.keyContext
        }
        let wanted = words.lowercased()
        if let exact = all.first(where: { $0.id == words || $0.title.lowercased() == wanted }) {
            return exact.perform(in: workspace)
        }
        let typed = wanted.split(separator: " ")
        func has(_ command: Command) -> Bool {
            let texts = [command.title] + command.synonyms
            return typed.allSatisfy { word in
                texts.contains { $0.lowercased().contains(word) }
            }
        }
        /// Whether each word begins one of the name; a part of a word may be a misspelled key.
        func isNamed(_ command: Command) -> Bool {
            let words = command.title.lowercased().split { !$0.isLetter && !$0.isNumber }
            return typed.allSatisfy { word in words.contains { $0.hasPrefix(word) } }
        }
        offered = all.filter { has($0) && $0.reason(in: workspace) == nil }
        if offered.isEmpty {
            return print(localized("No command is called \"\(DisplayWidth.singleLine(words))\"."))
        }
        if offered.count == 1, isNamed(offered[0]) {
            return offered.removeFirst().perform(in: workspace)
        }
        print(
            offered.count == 1
                ? localized("One command; type its number:")
                : localized("Several commands; type a number:")
        )
        for (place, command) in offered.enumerated() { print("\(place + 1). \(command.title)") }
    }

    private func send(_ keys: [Key]) {
        for key in keys { application.handle([.input(.key(key))]) }
    }

    // MARK: Answers to modals

    private static let secret =
        localized(
            "Secrets are not typed here, where they would be seen; docket vault asks for them."
        )

    private var prompt: String {
        switch workspace.modal {
        case nil: "> "
        case let bar as InputBar:
            bar.field.isEmpty ? "\(bar.label): " : "\(bar.label) [\(bar.field.text)]: "
        case let form as Form:
            form.focused.map { "\($0.label) [\(DisplayWidth.singleLine($0.text))]: " }
                ?? localized("save? ")
        case is MenuBox: localized("number or words: ")
        case is QuestionBox: localized("answer: ")
        default: localized("keys or text: ")
        }
    }

    /// Answers what is asked: a line is the text, an empty one accepts what is there, `.` leaves, and
    /// a key such as `ctrl+t` is pressed.
    private func answer(_ line: String) {
        if line == "." { return send([.escape]) }
        // A key with ctrl is no text: it restores a kept one, saves, or undoes.
        if let key = try? Key(spelling: line), key.modifiers.contains(.ctrl) { return send([key]) }
        switch workspace.modal {
        case is InputBar:
            if !line.isEmpty { replace(by: line) }
            send([.enter])
        case let form as Form:
            guard form.focused != nil else { return send([.enter]) }
            if form.focused is ChoiceEditor {
                send(line.prefix(1).map { Key($0) })
            } else if form.focused?.takesLines == true {
                // A line more; the editor of the user edits the rest.
                send([Key(.end, .ctrl)])
                let lead = form.focused?.text.isEmpty == true ? "" : "\n"
                if !line.isEmpty { application.handle([.input(.paste(lead + line))]) }
            } else if !line.isEmpty {
                replace(by: line)
            }
            workspace.respond { form.moveFocus(by: 1) }
            if form.focus == form.saveStop { workspace.respond { try form.accept(in: workspace) } }
        case let box as MenuBox: choose(line, in: box)
        case is QuestionBox: send(line.isEmpty ? [.enter] : line.prefix(1).map { Key($0) })
        default:
            if line.isEmpty { return send([.enter]) }
            if let keys = try? Key.sequence(line) { return send(keys) }
            application.handle([.input(.paste(line))])
        }
    }

    private func replace(by text: String) {
        send([.end, .ctrl("u")])
        application.handle([.input(.paste(text))])
    }

    private func choose(_ line: String, in box: MenuBox) {
        if let number = Int(line), box.menu.entries.indices.contains(number - 1) {
            send([.ctrl("u")] + Array(repeating: .down, count: number - 1) + [.enter])
        } else if line.isEmpty {
            send([.enter])
        } else {
            replace(by: line)
            if box.menu.entries.count == 1 { send([.enter]) }
        }
    }

    // MARK: What is said

    /// Lets the work be done that is left between events.
    private func settle() {
        application.drawFrame()
        while application.hasWork || !workspace.background.isFree {
            if !application.hasWork {
                for work in workspace.background.running { work.wait(atMost: .milliseconds(20)) }
            }
            application.handle([.timedOut])
        }
        application.drawFrame()
    }

    /// Says the message, and what of the place and the row is new.
    private func sayNews() {
        workspace.tellNews()
        while let text = workspace.messages.text {
            for line in text.split(separator: "\n") { print(String(line)) }
            workspace.messages.clear()
            workspace.tellNews()
        }
        if let modal = workspace.modal { return say(modal) }
        let pane = workspace.pane
        var now = Said()
        let parts = [pane.head] + pane.status + workspace.urgentSyncStatus
        now.place = parts.filter { !$0.isEmpty }.joined(separator: ", ")
        let (rows, selected, _) = shownRows
        now.row = selected.map { rows[$0].text } ?? rows.first?.text ?? ""
        if now.place != said.place { print(DisplayWidth.singleLine(now.place)) }
        if now.row != said.row, !now.row.isEmpty {
            let number = selected.map { "\(rows[$0].number). " } ?? ""
            print("\(number)\(now.row)")
        }
        said = now
    }

    /// Says what a modal asks for.
    private func say(_ modal: any Modal) {
        said.row = ""
        switch modal {
        case is HelpBox:
            workspace.close(modal)
            sayCommands()
        case is PassphraseBox, is any VaultModal:
            print(PlainInterface.secret)
            workspace.close(modal)
        case let bar as InputBar:
            let meaning = bar.preview.runs.map(\.text).joined()
            if !meaning.isEmpty { print(DisplayWidth.singleLine(meaning)) }
        case let form as Form:
            if form.focus == 0 {
                print(localized("\(form.mode); an empty line keeps a value, . leaves"))
            }
            if !form.remark.isEmpty { print(form.remark) }
            if let preview = form.focused?.preview?.runs, !preview.isEmpty {
                print(preview.map(\.text).joined())
            }
        case let box as MenuBox:
            print(box.title)
            for (place, entry) in box.menu.entries.prefix(PlainInterface.most).enumerated() {
                let item = box.menu.items[entry.item]
                let detail = item.disabledReason ?? item.detail
                print("\(place + 1). \(item.title)\(detail.isEmpty ? "" : ", \(detail)")")
            }
            let rest = box.menu.entries.count - PlainInterface.most
            if rest > 0 { print(localized("and \(rest) more; words find them")) }
        default:
            let area = Rect(application.device.size)
            modal.layout(in: area)
            var canvas = Canvas(size: area.size, symbols: workspace.look.symbols)
            modal.render(into: &canvas, look: workspace.look)
            for line in canvas.spokenLines where !line.isEmpty { print(line) }
            let hints = modal.hints(workspace.look).map { "\($0.key) \($0.text)" }
            if !hints.isEmpty { print(hints.joined(separator: ", ")) }
        }
    }

    private static let most = 20

    /// The rows of the pane around the selected one, with their numbers; and which one that is.
    private var shownRows: (rows: [(number: Int, text: String)], selected: Int?, total: Int) {
        if let spoken = workspace.pane.spokenRows {
            return (spoken.rows, spoken.selected, spoken.rows.count)
        }
        // Narrow settings have one part; other rows are not cut.
        let columns = workspace.pane is SettingsPane ? ScreenLayout.twoPanes - 1 : 200
        var canvas = Canvas(
            size: Size(rows: PlainInterface.most, columns: columns),
            symbols: workspace.look.symbols
        )
        let extent = workspace.pane.render(into: &canvas, isFocused: true)
        let format = DateFormat(context: workspace.library.clock())
        var rows: [(number: Int, text: String)] = []
        var selected: Int?
        for (row, line) in canvas.spokenLines.enumerated()
        where !line.isEmpty && (row < extent.visible || extent.total == 0) {
            if row == canvas.cursor?.row { selected = rows.count }
            let index = extent.first + row
            let words = itemWords(index, format) ?? line
            rows.append((index + 1, words))
        }
        return (rows, selected, extent.total)
    }

    private func sayRows() {
        let (rows, selected, total) = shownRows
        for (place, row) in rows.enumerated() {
            print("\(row.number). \(row.text)\(place == selected ? localized(", selected") : "")")
        }
        if total > rows.count { print(localized("\(total) rows; pagedown goes on")) }
    }

    /// What a row of the items pane says, in words.
    private func itemWords(_ index: Int, _ format: DateFormat) -> String? {
        guard workspace.focus == .items, workspace.items.lines.indices.contains(index),
            case .item(let id, let depth) = workspace.items.lines[index]
        else { return nil }
        let row = workspace.items.row(id, depth: depth, format)
        var words = [row.title.isEmpty ? localized("(no title)") : row.title]
        switch row.state {
        case .open: break
        case .blocked:
            words.append(localized("waits for \(row.waitsFor ?? localized("another task"))"))
        case .done: words.append(localized("done"))
        case .note: words.append(localized("note"))
        case .folder: words.append(localized("folder"))
        }
        if row.priority > 0 {
            words.append(localized("priority \(ItemChange.priorityName(row.priority))"))
        }
        if let due = row.due {
            words.append(due.role == .overdue ? localized("late: \(due.text)") : due.text)
        }
        words += [row.progress, row.missed, row.list, row.tags].filter { !$0.isEmpty }
        if row.isFlagged { words.append(localized("flagged")) }
        if row.isInConflict { words.append(localized("in conflict")) }
        if row.isMarked { words.append(localized("marked")) }
        if depth > 0 { words.append(localized("level \(depth + 1)")) }
        if row.fold == .folded { words.append(localized("folded")) }
        return words.joined(separator: ", ")
    }

    private func sayDetails() {
        guard workspace.items.selected != nil else {
            return print(localized("No item is selected."))
        }
        let pane = workspace.panes[.detail]
        print(DisplayWidth.singleLine(pane.head))
        var canvas = Canvas(size: application.device.size, symbols: workspace.look.symbols)
        let extent = pane.render(into: &canvas, isFocused: true)
        for line in canvas.spokenLines where !line.isEmpty { print(line) }
        if extent.total > extent.visible {
            print(localized("\(extent.total - extent.visible) more lines; docket show has all"))
        }
    }

    private func sayCommands() {
        let card = KeyCard(workspace.keyMap, ascii: true)
        for group in card.groups {
            let rows = group.rows.filter { row in
                row.command.context == .main || row.command.works(in: workspace.paneKind)
            }
            if rows.isEmpty { continue }
            print("\(group.title):")
            for row in rows {
                print("  \(row.command.title)\(row.keys.isEmpty ? "" : ", \(row.keys)")")
            }
        }
        print(localized("rows lists the rows, details shows the item, a number goes to a row"))
    }
}

extension Canvas {
    /// The rows with blanks between parts made short and without rules, for reading aloud.
    fileprivate var spokenLines: [String] {
        let rule = symbols.horizontal
        return (0..<rows).map { row in
            withRow(row) { $0.map(\.text).joined() }.split(separator: " ")
                .filter { $0.count < 3 || !$0.unicodeScalars.allSatisfy { $0 == rule } }
                .joined(separator: " ")
        }
    }
}

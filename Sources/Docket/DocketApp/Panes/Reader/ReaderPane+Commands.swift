import DocketCore
import ObjectGraph
import TerminalUI

extension KeyContext {
    static let reader = KeyContext(name: "reader")
}

extension ReaderPane {
    static let commands: [Command] = [
        Command(
            "reader.show",
            "Read",
            keys: ["o"],
            .item,
            help: "Shows the text of the selected item over the whole screen.",
            synonyms: ["view", "markdown", "note", "open"],
            disabled: { $0.noItemToRead },
            run: { try $0.read() }
        ),
        command(
            "reader.tick",
            "Tick the box, or remove its tick",
            ["space"],
            hint: "tick",
            help: "Ticks the item of a task list that is under the cursor.",
            changes: true
        ) { try $0.tick() },
        movement(
            "reader.follow",
            "Follow the link",
            ["enter"],
            hint: "follow",
            help: "Shows the item of a link, or opens its address."
        ) { reader in
            let reason = reader.cannotOpen
            if reason == nil { try reader.open() }
            return reason
        },
        movement(
            "reader.nextLink",
            "Next link",
            ["tab"],
            hint: "next link",
            help: "Selects the next link."
        ) { $0.selectLink(isBack: false) ? nil : localized("There is no link here.") },
        movement(
            "reader.previousLink",
            "Previous link",
            ["shift+tab"],
            help: "Selects the link before."
        ) { $0.selectLink(isBack: true) ? nil : localized("There is no link here.") },
        command(
            "reader.hints",
            "Choose a link by a letter",
            ["f"],
            hint: "links",
            help: "Shows a letter on each link of the screen; the letter follows it."
        ) { $0.showHints() },
        movement(
            "reader.nextHeading",
            "Next heading",
            ["]"],
            help: "Goes to the next heading."
        ) { $0.moveToHeading(isBack: false) ? nil : localized("There is no heading below.") },
        movement(
            "reader.previousHeading",
            "Previous heading",
            ["["],
            help: "Goes to the heading above."
        ) { $0.moveToHeading(isBack: true) ? nil : localized("There is no heading above.") },
        command(
            "reader.edit",
            "Edit what is read",
            ["e"],
            hint: "edit",
            help: "Opens the form of the item.",
            changes: true
        ) { try $0.edit() },
        command(
            "reader.editor",
            "Edit what is read in $EDITOR",
            ["E"],
            help: "Opens the text in your editor; an encrypted text in a box, without a file.",
            changes: true
        ) { reader in
            if let item = reader.item { try reader.workspace.editText(of: item) }
        },
        command(
            "reader.copy",
            "Copy what is read",
            ["y"],
            help: "Copies the address of the selected link, else title and text."
        ) { $0.copy() },
        command(
            "reader.close",
            "Close the reader",
            ["q"],
            hint: "back",
            help: "Goes back to where you were."
        ) { $0.workspace.backOut() },
    ]

    /// A command of the reader.
    private static func command(
        _ id: String,
        _ title: Phrase,
        _ keys: [String],
        hint: Phrase = "",
        help: Phrase,
        changes: Bool = false,
        _ run: @escaping @Sendable (ReaderPane) throws -> Void
    ) -> Command {
        Command(
            id,
            title,
            keys: keys,
            .item,
            help: help,
            hint: hint,
            context: .reader,
            disabled: { workspace in
                guard workspace.pane is ReaderPane else {
                    return localized("Nothing is being read; o shows an item.")
                }
                return changes ? workspace.readOnly : nil
            },
            run: { workspace in if let reader = workspace.pane as? ReaderPane { try run(reader) } }
        )
    }

    /// A command of the reader that says why nothing has happened.
    private static func movement(
        _ id: String,
        _ title: Phrase,
        _ keys: [String],
        hint: Phrase = "",
        help: Phrase,
        _ run: @escaping @Sendable (ReaderPane) throws -> String?
    ) -> Command {
        command(id, title, keys, hint: hint, help: help) { reader in
            if let reason = try run(reader) { reader.workspace.tell("\(reason)", .warning) }
        }
    }

    func edit() throws {
        guard let item else { return }
        try workspace.openForm(of: item.objectID)
    }

    private func copy() {
        guard let item, let itemText else { return }
        if let link, selectedLink != nil, case .address(let address) = link {
            workspace.requests.append(.copy(address))
            return workspace.tell("Copied the address.")
        }
        if itemText.isLocked {
            return workspace.tell("The text is encrypted and the vault is locked.", .warning)
        }
        let texts = [item.title, itemText.text].filter { !$0.isEmpty }
        workspace.requests.append(.copy(texts.joined(separator: "\n\n")))
        workspace.tell("Copied \(workspace.named([item]))")
    }

    private func showHints() {
        let links = visibleLinks
        if links.isEmpty {
            return workspace.tell(
                "There is no link on the screen; Tab goes to the next one.",
                .warning
            )
        }
        workspace.open(LinkHints(links))
    }
}

extension Workspace {
    /// Why nothing can be read, one sentence; `nil` if an item is selected.
    fileprivate var noItemToRead: String? {
        if shownFolder != nil {
            return localized("The text of a file is in the pane to the right; Enter goes there.")
        }
        return items.selectedID == nil ? localized("There is no item here to read.") : nil
    }

    /// Reads the selected item.
    func read() throws {
        guard let id = items.selectedID else { return }
        go(to: .reader)
        (pane as? ReaderPane)?.show(id)
    }

    /// Goes where a link of a text leads, to an item by `go`.
    func follow(
        _ target: RichLine.Target,
        _ go: @escaping (ManagedObjectID) throws -> Void
    ) throws {
        switch target {
        case .item(let id): try go(id)
        case .title(let title): try follow(title: title, go)
        case .address(let address): show(address: address)
        case .scope(let scope):
            try show(scope)
            self.go(to: .items)
        }
    }

    private func follow(
        title: String,
        _ go: @escaping (ManagedObjectID) throws -> Void
    ) throws {
        let found = try library.items(titled: title, limit: Self.mostChoices)
        if found.count == 1 { return try go(found[0].objectID) }
        if found.isEmpty {
            if let reason = readOnly {
                return tell("No item is called \(quoted(title)). \(reason)", .warning)
            }
            return open(
                QuestionBox(
                    "Follow the link",
                    "No item is called \(quoted(title)).",
                    [
                        .init(key: "n", title: localized("Add a note with this title")) {
                            workspace in
                            var captured = CapturedItem()
                            captured.title = title
                            let (note, step) = try workspace.library.addNote(captured)
                            workspace.library.context.processPendingChanges()
                            try go(note.objectID)
                            workspace.tell(step, unchanged: "Nothing was added")
                        }
                    ]
                )
            )
        }
        open(
            QuestionBox(
                "Follow the link",
                "Several items are called \(quoted(title)).",
                found.enumerated().map { number, item in
                    let id = item.objectID
                    let kind = item is Task ? localized("task") : localized("note")
                    let place =
                        item.list.map { DisplayWidth.singleLine($0.name) } ?? localized("Inbox")
                    let state =
                        item.trashed != nil
                        ? localized(", in the trash")
                        : (item as? Task)?.isDone == true ? localized(", done") : ""
                    return .init(
                        key: Character("\(number + 1)"),
                        title: localized("the \(kind) no. \(item.shortID) in \(place)\(state)")
                    ) { _ in try go(id) }
                }
            )
        )
    }

    private static let mostChoices = 9

    /// Asks for an address to be opened by another program.
    private func show(address: String) {
        let isPath = address.hasPrefix("/") || address.hasPrefix("~/")
        let scheme = address.prefix {
            $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0))
        }
        let hasScheme = scheme.count > 1 && address.dropFirst(scheme.count).first == ":"
        guard isPath || hasScheme, address.first?.isLetter == true || isPath else {
            return tell(
                "\(quoted(address)) is neither an address nor a path that begins with / or ~/.",
                .warning
            )
        }
        requests.append(.show(address: address))
    }
}

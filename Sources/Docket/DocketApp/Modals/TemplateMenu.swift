import DocketCore
import TerminalUI

/// The templates of notes; the chosen one opens the form of a new note.
final class TemplateMenu: MenuBox {
    private let templates: NoteTemplates
    private let names: [String]

    init(_ templates: NoteTemplates, _ names: [String]) {
        self.templates = templates
        self.names = names
        let items = names.map { MenuItem(DisplayWidth.singleLine($0)) }
        super.init("New note", items: items, placeholder: "a template")
    }

    override func choose(_ index: Int, in workspace: Workspace) throws {
        let template = try templates.template(names[index])
        guard template.wantsTitle else { return try workspace.openNote(template, title: "") }
        workspace.open(
            NameBar("Title", text: "") { try $1.openNote(template, title: $0) }
        )
    }
}

extension Workspace {
    /// Offers the templates of notes.
    func chooseTemplate() {
        guard let templates = settingsFile.map(NoteTemplates.init(beside:)) else { return }
        let names = templates.names
        if !names.isEmpty { return open(TemplateMenu(templates, names)) }
        tell("There are no templates; Markdown files in \(templates.folder) are some.", .warning)
    }

    /// Opens the form of a new note with the text of a template.
    fileprivate func openNote(_ template: NoteTemplate, title: String) throws {
        let clock = library.clock()
        var item = CaptureParser(context: clock).read(template.line(title: title, clock))
        item.notes = template.text(of: item, list: captureDefaults.list?.path ?? [], clock)
        try openForm(newNote: true, item)
    }
}

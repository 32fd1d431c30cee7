import Phrases
import TerminalUI

extension CommandTable {
    static let form: [Command] = [
        row("form.accept", "Save", ["ctrl+s"], "Saves all edits as one step.", hint: "save") {
            try $0.accept(in: $1)
        },
        row(
            "form.cancel",
            "Cancel",
            ["esc"],
            "Closes without saving; the text stays as a draft.",
            hint: "cancel"
        ) { form, workspace in
            if !form.handleMenu(.escape) { form.cancel(in: workspace) }
        },
        row(
            "form.next",
            "Next field",
            ["tab"],
            "Goes to the next field; indents an item of a list in a text.",
            hint: "next"
        ) { form, _ in
            if !form.handleMenu(.tab), !form.indent(by: 1) { form.moveFocus(by: 1) }
        },
        row(
            "form.previous",
            "Previous field",
            ["shift+tab"],
            "Goes to the previous field; moves an indented item of a list to the left."
        ) { form, _ in if !form.indent(by: -1) { form.moveFocus(by: -1) } },
        row(
            "form.undo",
            "Undo a field edit",
            ["ctrl+z"],
            "Undoes the last edit of a field.",
            hint: "undo"
        ) { form, _ in try form.undo() },
        row("form.redo", "Redo a field edit", ["ctrl+y"], "Redoes the undone edit of a field.") {
            form,
            _ in try form.redo()
        },
        row("form.editor", "Text in $EDITOR", ["ctrl+o"], "Opens the text in your editor.") {
            $0.editOutside(in: $1)
        },
        row(
            "form.draft",
            "Restore the draft",
            ["ctrl+t"],
            "Restores the text of the last cancelled form."
        ) { form, _ in form.restoreDraft() },
        row(
            "form.takeOver",
            "Accept the other change",
            ["ctrl+r"],
            "Accepts the value that somebody else has saved for a field during the edit."
        ) { form, _ in try form.acceptTheirs() },
    ]

    private static func row(
        _ id: String,
        _ title: Phrase,
        _ keys: [String],
        _ help: Phrase,
        hint: Phrase = "",
        _ run: @escaping @Sendable (Form, Workspace) throws -> Void
    ) -> Command {
        Command(
            id,
            title,
            keys: keys,
            .form,
            help: help,
            hint: hint,
            context: .form,
            disabled: { $0.modal is Form ? nil : localized("No form is open.") },
            run: { workspace in
                guard let form = workspace.modal as? Form else { return }
                form.remark = ""
                try run(form, workspace)
            }
        )
    }
}

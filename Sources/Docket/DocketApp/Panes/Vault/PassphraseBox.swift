import DocketCore
import Encryption
import TerminalUI

/// Asks for the passphrase of the vault; what is typed goes into locked memory only.
final class PassphraseBox: VaultModal {
    enum Purpose {
        case unlock
        case create
        case change
    }

    /// One typed line after the other.
    private enum Step {
        case present
        case new
        case again
    }

    private let purpose: Purpose
    private var step: Step
    private var line: SecretLine
    private var present: SecretBytes?
    private var new: SecretBytes?
    private var strength: PasswordStrength?
    private var problem = ""
    private var isWorking = false
    /// What is done after unlocking.
    private let then: (Workspace) throws -> Void
    private weak var workspace: Workspace?

    /// - Throws: `EncryptionError` without locked memory.
    init(
        _ purpose: Purpose,
        then: @escaping (Workspace) throws -> Void = { $0.go(to: VaultPane.kind.id) }
    ) throws {
        // Before the first key: the terminal's events are ordinary memory.
        SecretMemory.begin()
        self.purpose = purpose
        self.then = then
        step = purpose == .create ? .new : .present
        line = try SecretLine()
    }

    private var title: String {
        switch purpose {
        case .unlock: localized("Unlock the vault")
        case .create: localized("Create the vault")
        case .change: localized("Change the passphrase")
        }
    }

    var mode: String { title }

    func hints(_ look: Look) -> [Hint] {
        isWorking
            ? [] : [Hint(look.isASCII ? "Enter" : "⏎", "accept"), Hint("Esc", "cancel")]
    }

    // MARK: Input

    func handle(_ event: InputEvent, in workspace: Workspace) throws {
        self.workspace = workspace
        if isWorking { return }
        switch event {
        case .key(.escape), .key(.ctrl("c")), .key(.ctrl("g")): cancel(in: workspace)
        case .key(.enter): try accept(in: workspace)
        case .key(.backspace): try change { try $0.removeLast() }
        case .key(.ctrl("u")), .key(.ctrl("w")): try change { try $0.clear() }
        case .key(let key):
            guard let character = key.typed else { return }
            try change { try $0.append(String(character)) }
        case .paste(let text): try change { try $0.append(text) }
        case .mouse, .focus, .report: break
        }
    }

    private func change(_ body: (inout SecretLine) throws -> Void) throws {
        try body(&line)
        problem = ""
        strength =
            step == .new && line.count > 0
            ? try line.bytes.withBytes { PasswordStrength(of: String(decoding: $0, as: UTF8.self)) }
            : nil
    }

    private func cancel(in workspace: Workspace) {
        close(in: workspace)
        if workspace.vault.isLocked { workspace.requests.append(.forgetSecrets) }
    }

    private func close(in workspace: Workspace) {
        try? line.clear()
        present?.erase()
        new?.erase()
        workspace.vault.waitsForNextAttempt = false
        workspace.close(self)
    }

    private func accept(in workspace: Workspace) throws {
        let waiting = workspace.vault.vault.waitingTime
        if step == .present, waiting > 0 { return }
        guard line.count > 0 else {
            problem = localized("An empty passphrase protects nothing.")
            return
        }
        let typed = try line.take()
        strength = nil
        switch step {
        case .present where purpose == .unlock:
            run(in: workspace) { workspace in try workspace.vault.vault.unlock(passphrase: typed) }
        case .present:
            present = typed
            // A wrong one is told before the new one is typed twice.
            run(in: workspace, closes: false) { workspace in
                try workspace.vault.vault.unlock(passphrase: typed)
                self.step = .new
            }
        case .new:
            new = typed
            step = .again
        case .again:
            guard let new, new == typed else {
                step = .new
                problem = localized("The two differ; type the new passphrase again.")
                return
            }
            run(in: workspace) { workspace in
                if let present = self.present {
                    try workspace.vault.vault.changePassphrase(from: present, to: new)
                    workspace.tell("Changed the passphrase of the vault", .success)
                } else {
                    try workspace.vault.vault.create(passphrase: new)
                }
            }
        }
    }

    /// Runs slow work after the frame that says so.
    private func run(
        in workspace: Workspace,
        closes: Bool = true,
        _ body: @escaping (Workspace) throws -> Void
    ) {
        isWorking = true
        workspace.vault.work = { [unowned workspace] in
            self.isWorking = false
            do {
                try body(workspace)
                workspace.vault.noteActivity()
                guard closes else { return }
                self.close(in: workspace)
                try self.then(workspace)
                try workspace.reopenUnsaved()
            } catch let error as EncryptionError {
                self.problem = error.code == .tooManyAttempts ? "" : error.description
                workspace.vault.waitsForNextAttempt = workspace.vault.vault.waitingTime > 0
            } catch {
                self.problem = "\(error)"
            }
        }
    }

    // MARK: Drawing

    private static let columns = 56

    func layout(in bounds: Rect) {}

    func render(into canvas: inout Canvas, look: Look) {
        let (text, role) = note
        let sentence = DisplayWidth.wrapped(text, columns: PassphraseBox.columns)
        let size = Size(rows: 3 + max(2, sentence.count), columns: PassphraseBox.columns)
        Dialog(title: title).render(into: &canvas, theme: look.theme, content: size) { canvas in
            canvas.put(prompt, at: Position(row: 0, column: 0), style: look[.text])
            let field = Rect(row: 1, column: 0, rows: 1, columns: canvas.columns)
            canvas.fill(field, style: look[.inputFocused])
            let shown = min(line.count, canvas.columns - 1)
            canvas.put(
                String(repeating: Character(canvas.symbols.mask), count: max(0, shown)),
                at: Position(row: 1, column: 0),
                style: look[.inputFocused]
            )
            canvas.cursor = Position(row: 1, column: max(0, shown))
            // Wrapped again for a box that is narrower.
            for (place, row) in DisplayWidth.wrapped(text, columns: canvas.columns).enumerated()
            where 3 + place < canvas.rows {
                canvas.put(row, at: Position(row: 3 + place, column: 0), style: look[role])
            }
        }
    }

    private var prompt: String {
        switch step {
        case .present:
            purpose == .unlock ? localized("Passphrase") : localized("Present passphrase")
        case .new: localized("New passphrase")
        case .again: localized("The same again")
        }
    }

    private var note: (String, Role) {
        if isWorking { return (localized("Working: this takes up to a second …"), .dim) }
        if step == .present, let waiting = workspace?.vault.vault.waitingTime, waiting > 0 {
            let seconds = Int(waiting.rounded(.up))
            return (
                localized(
                    "The passphrase was wrong several times. Try again in \(Phrase(seconds, "second"))."
                ), .warning
            )
        }
        if !problem.isEmpty { return (problem, .warning) }
        if let strength {
            return (
                localized(
                    "\(Int(strength.bits)) bits: \(Phrase(stringLiteral: strength.grade.words))"
                ), .dim
            )
        }
        switch purpose {
        case .create:
            return (
                localized("Nothing opens the vault without it: there is no way to reset it."), .dim
            )
        case .unlock, .change: return ("", .dim)
        }
    }
}

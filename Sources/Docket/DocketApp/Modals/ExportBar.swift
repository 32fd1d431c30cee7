import CivilTime
import DocketCore
import DocketFormats
import ObjectGraph
import TerminalUI

/// Asks for a file and writes all items to it; the end of its name selects the format.
final class ExportBar: InputBar {
    init(workspace: Workspace) {
        let context = workspace.library.clock()
        let day = DateFormat(context: context).plain(DueDate(day: context.today))
        super.init("Export to", text: "docket-\(day).json", placeholder: "a new file")
        field.offer()
        show()
    }

    override func textDidChange(in workspace: Workspace) throws { show() }

    private func show() {
        do throws(InputError) {
            let format = try ExchangeFormat(file: field.text)
            let others = ExchangeFormat.allCases.filter { $0 != format }.map(\.ending)
            preview = .plain(
                localized(
                    "\(format.isLossless ? localized("everything, ") : "")as \(format.words);"
                        + " \(others.listed(localized("and"))) give other formats"
                ),
                .dim
            )
        } catch {
            preview = .plain(error.message, .warning)
        }
    }

    override func accept(in workspace: Workspace) throws {
        let format = try ExchangeFormat(file: field.text)
        let report = try workspace.library.export(format, toNewFile: field.text)
        workspace.close(self)
        let lost = report.hasDetails ? localized("; the format cannot hold everything") : ""
        workspace.tell("Wrote \(report.kept) items to \(field.text)\(lost)", .success)
    }
}

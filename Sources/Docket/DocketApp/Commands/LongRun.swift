import DocketCore
import ObjectGraph

/// A running long command, and the message for its end.
struct LongRun {
    let command: LongCommand
    let bar: any Modal
    let keepsMarks: Bool
    /// The error because of which the command is reverted, if the user has not asked for it.
    var error = ""
    let whenFinished: (Workspace, LongCommand) -> Void
}

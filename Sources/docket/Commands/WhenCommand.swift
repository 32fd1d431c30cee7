import ArgumentParser
import CivilTime
import DocketCore
import FoundationEssentials

struct WhenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "when",
        abstract: "Say when a repetition happens, without storing anything.",
        discussion: """
            docket when --every 'every last friday'
            docket when --rule 'FREQ=MONTHLY;BYDAY=-1FR' --start 2026-11-27T09:00 --count 3 --json
            """
    )

    @OptionGroup var repetition: RepetitionOptions
    @Option(help: "The local time that is taken for now, such as 2026-11-21T14:05.")
    var now: String?
    @Flag(help: "As JSON: an array of local times.") var json = false

    func validate() throws {
        guard repetition.isGiven else {
            throw ValidationError("--rule or --every is needed.")
        }
        try repetition.check()
        if let now, case .none = ISODate.read(now) {
            throw ValidationError(
                "\"\(CaptureText.cleanLine(now))\" is not a time; write it like 2026-11-21T14:05."
            )
        }
    }

    func run() throws {
        try Exit.onFailure {
            var context = SystemClock(environment: ProcessInfo.processInfo.environment).context
            if let now, let moment = ISODate.moment(now, zone: context.zone) {
                context.now = moment
            }
            try repetition.print(in: context, json: json)
        }
    }
}

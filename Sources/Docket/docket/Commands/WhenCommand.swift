import ArgumentParser
import CivilTime
import DocketCore
import DocketFormats
import FoundationEssentials

struct WhenCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "when",
        abstract: "Say what a text means, or when a repetition happens; stores nothing.",
        discussion: """
            docket when Call the dentist day after tomorrow 9:15 +Home
            docket when --json < lines.txt
            docket when --every 'every last friday'
            docket when --rule 'FREQ=MONTHLY;BYDAY=-1FR' --start 2026-11-27T09:00 --count 3 --json

            Without a text it reads lines from standard input, and answers each line before it \
            reads the next. With --json a line is one object: text, title, due, start, end, \
            estimate and reminder (seconds), every, list, tags, priority, location, waits, blocks, spans (bytes \
            of the text and what they are) and problems. Dates are days or local times.
            """
    )

    @OptionGroup var repetition: RepetitionOptions
    @Option(help: "The local time that is taken for now, such as 2026-11-21T14:05.")
    var now: String?
    @Flag(help: "As JSON: an object for each text; of a repetition an array of local times.")
    var json = false
    @Argument(parsing: .allUnrecognized, help: "The text, as in docket add.")
    var text: [String] = []

    func validate() throws {
        if let option = text.prefix(while: { $0 != "--" }).first(where: CommandAdvice.isOption) {
            throw ValidationError(
                "Unknown option '\(option)'; text that begins with - goes after --."
            )
        }
        if repetition.isGiven, !text.isEmpty {
            throw ValidationError("A text and --rule or --every are two questions; ask one.")
        }
        try repetition.check()
        if let now, case .none = ISODate.read(now) {
            throw ValidationError(
                "\"\(CaptureText.cleanLine(now))\" is not a time; write it like 2026-11-21T14:05."
            )
        }
    }

    func perform() throws {
        var context = SystemClock.ofCommand().context
        if let now {
            guard let moment = ISODate.moment(now, zone: context.zone) else {
                throw InputError(
                    .impossibleDate,
                    "\"\(CaptureText.cleanLine(now))\" is a time that does not exist."
                )
            }
            context.now = moment
        }
        if repetition.isGiven { return try repetition.print(in: context, json: json) }
        guard text.isEmpty else {
            var words = text
            if let place = words.firstIndex(of: "--") { words.remove(at: place) }
            return try tell(words.joined(separator: " "), context)
        }
        while let line = readLine() {
            try tell(line, context)
            try Console.flush()
        }
    }

    private func tell(_ text: String, _ context: DateContext) throws {
        let item = CaptureParser(context: context).read(text)
        if json { return try Console.print(CaptureJSON.value(item, context)) }
        let words = item.words(context)
        try Console.print(words.isEmpty ? item.title : "\(item.title)   \(words)")
        for problem in item.remarks { try Console.print("  \(problem)") }
    }
}

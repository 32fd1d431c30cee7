import ArgumentParser
import CivilTime
import DocketApp
import FoundationEssentials

struct KeysCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Print the keys of the interface, as they are set.",
        discussion: """
            In as many columns as the terminal has room for, elsewhere in one. 'docket help keys' explains the most \
            useful ones; docket config set keys.item.done x changes one.
            """
    )

    @Option(
        help: ArgumentHelp("Write them as a picture; - is the output.", valueName: "file"),
        completion: .file(extensions: ["svg"])
    )
    var svg: String?

    func perform() throws {
        let settings = Settings(environment: ProcessInfo.environment)
        for problem in settings.problems { Console.warn(problem) }
        try Language.$current.withValue(settings.time.language) { try write(settings) }
    }

    private func write(_ settings: Settings) throws {
        let isASCII = svg == nil && settings.look(colors: 0).isASCII
        let card = KeyCard(try settings.keyMap(), ascii: isASCII)
        guard let svg else {
            for line in card.lines(columns: Console.columns) { try Console.print(line) }
            return
        }
        if svg == "-" { return try Console.write(Array(card.svg.utf8)) }
        let file = try OutputFile(svg)
        try file.write(Array(card.svg.utf8))
        try file.finish()
        Exit.noteWritten()
        try Console.print("The keys are in \(Console.shown(svg))")
    }
}

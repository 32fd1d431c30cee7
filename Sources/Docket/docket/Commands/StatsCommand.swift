import ArgumentParser
import DocketApp
import DocketCore
import DocketFormats
import FoundationEssentials
import ObjectGraph

struct StatsCommand: DocketCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Print what was done and what is left, as plots of eight weeks.",
        discussion: """
            Tasks in the trash do not count as done. The burndown assumes that tasks come and go as \
            in the last four weeks; without a list it is that of the list in which most was done. \
            JSON has the numbers of the plots, SVG the plots as a picture.
            """
    )

    @OptionGroup var store: StoreLocation
    @Option(
        help: "Only this list and those below it, such as Home or Home/Garden.",
        completion: ShellCompletion.lists
    )
    var list: String?
    @Flag(help: "As JSON.") var json = false
    @Option(
        help: ArgumentHelp("Write a picture to a file.", valueName: "file"),
        completion: .file()
    )
    var svg: String?

    func validate() throws {
        if json, svg != nil { throw ValidationError("Choose one of --json and --svg.") }
    }

    func perform() throws {
        let library = try store.open(.reading)
        let statistics = try library.statistics(ofList: list)
        if json { return try Console.print(StatisticsJSON.value(of: statistics)) }
        if let svg {
            let path = UserPath.expanded(svg)
            let file = try OutputFile(path)
            try file.write(Array(StatisticsPicture(statistics).text.utf8))
            try file.finish()
            return Console.note("Wrote \(Console.shown(svg)).")
        }
        try printPlots(statistics)
    }

    private func printPlots(_ statistics: TaskStatistics) throws {
        let settings = Settings(environment: ProcessInfo.environment)
        let look = settings.look(colors: 0)
        let columns = min(100, max(20, Console.columns ?? 80))
        for (index, chart) in TaskStatistics.Chart.allCases.enumerated() {
            if index > 0 { try Console.print("") }
            let view = ChartView(chart, of: statistics, look: look)
            for line in view.lines(columns: columns, rows: 11) { try Console.print(line) }
        }
    }
}

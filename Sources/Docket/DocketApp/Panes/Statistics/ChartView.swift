import CivilTime
public import DocketCore
public import TerminalUI

/// A chart of the statistics: its title, what it says in words, and its plot.
public struct ChartView {
    private let chart: TaskStatistics.Chart
    private let statistics: TaskStatistics
    private let look: Look

    public init(_ chart: TaskStatistics.Chart, of statistics: TaskStatistics, look: Look) {
        (self.chart, self.statistics, self.look) = (chart, statistics, look)
    }

    /// Draws the chart over the whole canvas.
    public func render(into canvas: inout Canvas, isSelected: Bool = false) {
        let title = DisplayWidth.singleLine(statistics.title(of: chart))
        let words = DisplayWidth.singleLine(statistics.words(for: chart))
        let used = DisplayWidth.of(title) + 2
        canvas.put(
            [TextRun(title, look[isSelected ? .title : .heading]), TextRun("  ", look[.text])],
            at: Position(row: 0, column: 0),
            width: canvas.columns
        )
        var row = 1
        if used + DisplayWidth.of(words) <= canvas.columns {
            canvas.put(words, at: Position(row: 0, column: used), style: look[.text])
        } else {
            // The plot keeps more rows than the words have.
            let lines = DisplayWidth.wrapped(words, columns: max(1, canvas.columns))
            let most = max(1, min(3, (canvas.rows - 1) / 3))
            for (index, line) in lines.prefix(most).enumerated() {
                let isCut = index == most - 1 && lines.count > most
                canvas.put(
                    isCut ? lines[index...].joined(separator: " ") : String(line),
                    at: Position(row: row, column: 0),
                    width: canvas.columns,
                    style: look[.text]
                )
                row += 1
            }
        }
        let area = canvas.bounds.inset(top: row)
        guard area.rows > 0, statistics.hasNumbers(for: chart) else { return }
        canvas.draw(in: area) { drawPlot(into: &$0) }
    }

    private func drawPlot(into canvas: inout Canvas) {
        let (theme, green) = (look.theme, look[.success])
        switch chart {
        case .done:
            TimePlot(.bars, statistics.done, labels: weeks)
                .render(into: &canvas, theme: theme, style: green)
        case .open:
            TimePlot(.line, statistics.open, labels: weeks)
                .render(into: &canvas, theme: theme, style: look[.text])
        case .burndown:
            guard let burndown = statistics.burndown else { return }
            TimePlot(
                .line,
                burndown.remaining,
                outlook: burndown.outlook,
                labels: weeks + end(of: burndown)
            )
            .render(into: &canvas, theme: theme, style: look[.text])
        case .ages:
            RankPlot(
                statistics.ages.map { .init(TaskStatistics.name(of: $0), $0.count, "\($0.count)") }
            )
            .render(into: &canvas, theme: theme, style: look[.dueSoon])
        case .times:
            RankPlot(
                statistics.times.map { time in
                    let name = DisplayWidth.singleLine(TaskStatistics.name(of: time))
                    return .init(name, time.seconds, Estimate.text(spent: time.seconds))
                }
            )
            .render(into: &canvas, theme: theme, style: look[.list])
        case .hours:
            HeatPlot(
                statistics.hours,
                rows: (0..<7).map { statistics.days.lowerBound.adding(days: $0).weekday.shortName },
                columns: (0..<24).map { $0 % 6 == 0 ? DateFormat.clock($0 * 3600) : "" }
            )
            .render(into: &canvas, theme: theme, style: green)
        }
    }

    /// The first days of the weeks.
    private var weeks: [TimePlot.Label] {
        stride(from: 0, to: statistics.done.count, by: 7).map { day in
            TimePlot.Label(day, short(statistics.days.lowerBound.adding(days: day)))
        }
    }

    /// The day on which nothing is left, if the plot reaches it.
    private func end(of burndown: Burndown) -> [TimePlot.Label] {
        guard let days = burndown.daysLeft, days == burndown.outlook.count, days > 0 else {
            return []
        }
        // A label ends before the edge; the one before it is its own.
        return [
            TimePlot.Label(
                burndown.remaining.count + max(0, days - 10),
                short(statistics.days.upperBound.adding(days: days))
            )
        ]
    }

    private func short(_ day: Day) -> String { day.shortText }
}

extension ChartView {
    /// The chart as lines of text, without the blanks at their ends.
    ///
    /// - Parameters:
    ///   - columns: the width.
    ///   - rows: the height, title included.
    /// - Returns: at most so many lines; none is empty at the end.
    public func lines(columns: Int, rows: Int) -> [String] {
        var canvas = Canvas(size: Size(rows: rows, columns: columns), symbols: look.symbols)
        render(into: &canvas)
        let lines = (0..<rows).map { row in
            let text = canvas.withRow(row) { $0.map(\.text).joined() }
            return String(
                text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)]
            )
        }
        return Array(lines[...(lines.lastIndex { !$0.isEmpty } ?? 0)])
    }
}

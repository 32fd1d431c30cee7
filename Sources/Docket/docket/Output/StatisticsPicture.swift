import CivilTime
import DocketCore
import TerminalUI

/// Statistics as a picture in SVG: one chart below the other, each with its title and its words.
struct StatisticsPicture {
    private let statistics: TaskStatistics
    private static let width = 720
    private static let plotHeight = 120

    init(_ statistics: TaskStatistics) { self.statistics = statistics }

    /// The document.
    var text: String {
        var body = ""
        var top = 0
        for chart in TaskStatistics.Chart.allCases {
            let plot = statistics.hasNumbers(for: chart) ? plot(chart) : (parts: "", height: 0)
            body += """
                <g transform="translate(40 \(top + 30))">
                <text class="title">\(escaped(statistics.title(of: chart)))</text>
                <text class="words" y="18">\(escaped(statistics.words(for: chart)))</text>
                <g transform="translate(0 30)">
                \(plot.parts)</g>
                </g>

                """
            top += 70 + plot.height
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.width + 80)" height="\(top + 20)" \
            viewBox="0 0 \(Self.width + 80) \(top + 20)">
            <style>
            text { font: 12px sans-serif; fill: #222 } .title { font-weight: bold; font-size: 15px }
            .dim { fill: #666 } .bar { fill: #2a7a3f } .rank { fill: #31639c }
            .line { fill: none; stroke: #31639c; stroke-width: 2 } .outlook { stroke-dasharray: 4 4 }
            .axis { stroke: #999 }
            </style>
            <rect width="100%" height="100%" fill="#fff"/>
            \(body)</svg>

            """
    }

    private func plot(_ chart: TaskStatistics.Chart) -> (parts: String, height: Int) {
        switch chart {
        case .done: bars(statistics.done)
        case .open: line(statistics.open, [])
        case .burndown:
            line(statistics.burndown?.remaining ?? [], statistics.burndown?.outlook ?? [])
        case .ages:
            ranks(statistics.ages.map { (TaskStatistics.name(of: $0), $0.count, "\($0.count)") })
        case .times:
            ranks(
                statistics.times.prefix(20).map {
                    (TaskStatistics.name(of: $0), $0.seconds, Estimate.text(spent: $0.seconds))
                }
            )
        case .hours: heat()
        }
    }

    // MARK: Plots

    private func bars(_ values: [Int]) -> (parts: String, height: Int) {
        let top = max(1, values.max() ?? 1)
        let step = Double(Self.width) / Double(max(1, values.count))
        var parts = axis(top, count: values.count)
        for (index, value) in values.enumerated() where value > 0 {
            let height = Double(value * Self.plotHeight) / Double(top)
            let (x, y) = (step * Double(index) + 1, Double(Self.plotHeight) - height)
            parts +=
                "<rect class=\"bar\" x=\"\(short(x))\" y=\"\(short(y))\""
                + " width=\"\(short(step - 2))\" height=\"\(short(height))\">"
                + "<title>\(day(index)): \(value)</title></rect>\n"
        }
        return (parts, Self.plotHeight + 20)
    }

    private func line(_ values: [Int], _ outlook: [Int]) -> (parts: String, height: Int) {
        let all = values + outlook
        let top = max(1, all.max() ?? 1)
        let step = Double(Self.width) / Double(max(1, all.count - 1))
        func points(_ range: Range<Int>) -> String {
            range.map { index in
                let y = Double(Self.plotHeight * (top - max(0, all[index]))) / Double(top)
                return "\(short(step * Double(index))),\(short(y))"
            }.joined(separator: " ")
        }
        var parts = axis(top, count: all.count)
        parts += "<polyline class=\"line\" points=\"\(points(0..<values.count))\"/>\n"
        if !outlook.isEmpty, !values.isEmpty {
            let rest = points(values.count - 1..<all.count)
            parts += "<polyline class=\"line outlook\" points=\"\(rest)\"/>\n"
        }
        return (parts, Self.plotHeight + 20)
    }

    /// The base line, the greatest number, and the first days of weeks.
    private func axis(_ top: Int, count: Int) -> String {
        let height = Self.plotHeight
        var parts =
            "<line class=\"axis\" x2=\"\(Self.width)\" y1=\"\(height)\" y2=\"\(height)\"/>\n"
        parts += "<text class=\"dim\" x=\"-6\" y=\"8\" text-anchor=\"end\">\(top)</text>\n"
        for index in stride(from: 0, to: count, by: count > 70 ? 14 : 7) {
            let x = Double(Self.width * index) / Double(max(1, count))
            parts +=
                "<text class=\"dim\" x=\"\(short(x))\" y=\"\(height + 15)\">\(day(index))</text>\n"
        }
        return parts
    }

    private func ranks(_ rows: [(name: String, number: Int, text: String)]) -> (String, Int) {
        let top = max(1, rows.map(\.number).max() ?? 1)
        var parts = ""
        for (index, row) in rows.enumerated() {
            let y = index * 20
            let name = DisplayWidth.truncate(DisplayWidth.singleLine(row.name), to: 26)
            let width = Double(row.number * (Self.width - 300)) / Double(top)
            parts +=
                "<text y=\"\(y + 12)\">\(escaped(name))</text>"
                + "<rect class=\"rank\" x=\"190\" y=\"\(y)\" width=\"\(short(width))\" height=\"14\"/>"
                + "<text class=\"dim\" x=\"\(short(196 + width))\" y=\"\(y + 12)\">"
                + "\(escaped(row.text))</text>\n"
        }
        return (parts, rows.count * 20)
    }

    private func heat() -> (String, Int) {
        let top = max(1, statistics.hours.joined().max() ?? 1)
        let step = (Self.width - 40) / 24
        var parts = ""
        for (row, counts) in statistics.hours.enumerated() {
            let name = statistics.days.lowerBound.adding(days: row).weekday.shortName
            parts += "<text y=\"\(row * 18 + 12)\">\(name)</text>\n"
            for (hour, count) in counts.enumerated() {
                let shade = count == 0 ? 0.06 : 0.2 + 0.8 * Double(count) / Double(top)
                parts +=
                    "<rect class=\"bar\" x=\"\(40 + hour * step)\" y=\"\(row * 18)\""
                    + " width=\"\(step - 2)\" height=\"16\" fill-opacity=\"\(short(shade))\">"
                    + "<title>\(name) \(DateFormat.clock(hour * 3600)): \(count)</title></rect>\n"
            }
        }
        for hour in stride(from: 0, to: 24, by: 3) {
            parts +=
                "<text class=\"dim\" x=\"\(40 + hour * step)\" y=\"140\">"
                + "\(DateFormat.clock(hour * 3600))</text>\n"
        }
        return (parts, 145)
    }

    // MARK: Texts

    private func day(_ index: Int) -> String {
        let day = statistics.days.lowerBound.adding(days: index)
        return "\(day.day) \(Day.shortName(ofMonth: day.month))"
    }

    /// A number with at most two digits behind the point.
    private func short(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        return rest == 0 ? "\(whole)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }

    private func escaped(_ text: String) -> String {
        DisplayWidth.singleLine(text).reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
    }
}

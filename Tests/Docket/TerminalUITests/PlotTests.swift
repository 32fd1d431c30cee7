import ScreenReading
import SeededRandom
import Testing

@testable import TerminalUI

/// Plots in cells.
@Suite struct PlotTests {
    private func lines(
        rows: Int,
        columns: Int,
        symbols: Symbols = .unicode,
        _ draw: (inout Canvas) -> Void
    ) -> [String] {
        var canvas = Canvas(rows: rows, columns: columns, symbols: symbols)
        draw(&canvas)
        canvas.checkInvariants()
        return canvas.lines
    }

    @Test func barsAreAsHighAsTheirNumbers() {
        let plot = TimePlot(.bars, [0, 1, 4, 8], labels: [.init(0, "a"), .init(2, "c")])
        let found = lines(rows: 3, columns: 14) {
            plot.render(into: &$0, theme: .mono, style: .plain)
        }
        #expect(found == ["8          ██", "0    ▂▂ ██ ██", "  a     c"])
        let plain = lines(rows: 2, columns: 6, symbols: .ascii) {
            TimePlot(.bars, [0, 1, 4, 8]).render(into: &$0, theme: .mono, style: .plain)
        }
        #expect(plain == ["   #", " ###"])
    }

    @Test func aLineGoesFromTheFirstToTheLastNumber() {
        let found = lines(rows: 3, columns: 5, symbols: .ascii) {
            TimePlot(.line, [0, 1, 2]).render(into: &$0, theme: .mono, style: .plain)
        }
        #expect(found == ["    *", "  **", "**"])
    }

    @Test func ranksThatDoNotFitAreCounted() {
        let rows = (1...5).map { RankPlot.Row("row \($0)", $0, "\($0)") }
        let found = lines(rows: 3, columns: 30) {
            RankPlot(rows).render(into: &$0, theme: .mono, style: .plain)
        }
        #expect(found[0].hasPrefix("row 1") && found[2] == "and 3 more")
    }

    @Test(arguments: SeededRandom.seeds(40))
    func everySizeIsDrawn(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let values = (0..<random.below(80)).map { _ in random.below(random.pick([1, 5, 100_000])) }
        let outlook = (0..<random.below(30)).map { _ in random.below(50) }
        let symbols: Symbols = random.chance(2) ? .ascii : .unicode
        let (rows, columns) = (1 + random.below(20), 1 + random.below(90))
        let labels = (0..<random.below(9)).map { TimePlot.Label($0 * 7, "\($0) Nov 日") }
        let heat = (0..<7).map { _ in (0..<24).map { _ in random.below(9) } }
        for form in [TimePlot.Form.bars, .line] {
            let found = lines(rows: rows, columns: columns, symbols: symbols) {
                TimePlot(form, values, outlook: outlook, labels: labels)
                    .render(into: &$0, theme: .mono, style: .plain)
            }
            #expect(found.count == rows, "seed \(seed)")
        }
        let table = lines(rows: rows, columns: columns, symbols: symbols) {
            HeatPlot(heat, rows: (0..<7).map { "d\($0)" }, columns: (0..<24).map { "\($0)" })
                .render(into: &$0, theme: .mono, style: .plain)
        }
        let names = values.prefix(30).map { RankPlot.Row("日本 \($0)", $0, "\($0)") }
        let ranks = lines(rows: rows, columns: columns, symbols: symbols) {
            RankPlot(Array(names)).render(into: &$0, theme: .mono, style: .plain)
        }
        for line in table + ranks { #expect(DisplayWidth.of(line) <= columns, "seed \(seed)") }
    }

    // MARK: The menu of suggestions

    @Test func aMenuClosesForAWordAndOpensForTheNext() {
        var menu = SuggestionMenu()
        menu.show([.init("bank"), .init("budget")], from: 4)
        #expect(menu.isOpen && menu.handle(.enter, takesFirst: true) == .ignored)
        #expect(menu.handle(.up, takesFirst: true) == .ignored)
        #expect(menu.handle(.tab, takesFirst: false) == .ignored)
        #expect(menu.handle(.tab, takesFirst: true) == .taken(0))
        #expect(menu.handle(.down, takesFirst: true) == .changed)
        #expect(menu.handle(.enter, takesFirst: true) == .taken(0))
        #expect(menu.handle(.escape, takesFirst: true) == .changed && !menu.isOpen)
        menu.show([.init("bank")], from: 4)
        #expect(!menu.isOpen && menu.handle(.escape, takesFirst: true) == .ignored)
        menu.show([.init("out")], from: 9)
        #expect(menu.isOpen)
    }
}

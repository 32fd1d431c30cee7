import ScreenReading
import TerminalUI

/// A terminal for tests: shows frames on a canvas, takes events from the test.
final class ScriptedTerminal: TerminalDevice {
    var size: Size
    var colors: Int
    private(set) var frame: Canvas
    private(set) var frames = 0
    private(set) var copied: [String] = []
    private(set) var suspensions = 0
    private(set) var redraws = 0
    private(set) var title = ""
    private(set) var rings = 0
    /// How often it was asked how it shows pictures.
    private(set) var pictureQuestions = 0
    /// What stands in for the user's editor: gets the path of the file.
    var editor: (String) -> Int32 = { _ in 0 }

    init(rows: Int, columns: Int, colors: Int) {
        size = Size(rows: rows, columns: columns)
        self.colors = colors
        frame = Canvas(rows: rows, columns: columns)
    }

    func present(_ canvas: Canvas) {
        frame = canvas
        frames += 1
    }

    func redraw() { redraws += 1 }
    func events(until deadline: ContinuousClock.Instant?) -> [TerminalEvent] { [.timedOut] }
    func suspend() { suspensions += 1 }
    func run(_ arguments: [String]) throws -> Int32 { editor(arguments.last ?? "") }
    func copy(_ text: String) -> Bool {
        copied.append(text)
        return true
    }
    func setTitle(_ title: String) { self.title = title }
    func ring() { rings += 1 }
    func askPictures() { pictureQuestions += 1 }
    func close() {}
}

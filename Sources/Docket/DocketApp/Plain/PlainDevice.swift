import TerminalUI

/// A terminal on which nothing is drawn: the interface in lines prints what the frames would say.
final class PlainDevice: TerminalDevice {
    let size = Size(rows: 40, columns: 100)
    let colors = 0
    private let print: (String) -> Void
    private let lend: ([String]) throws -> Int32

    init(print: @escaping (String) -> Void, lend: @escaping ([String]) throws -> Int32) {
        (self.print, self.lend) = (print, lend)
    }

    func present(_ canvas: Canvas) {}
    func redraw() {}
    func events(until deadline: ContinuousClock.Instant?) -> [TerminalEvent] { [.timedOut] }
    func suspend() {}
    func run(_ arguments: [String]) throws -> Int32 { try lend(arguments) }

    /// The clipboard belongs to terminals that draw; a line can be selected in any.
    func copy(_ text: String) -> Bool {
        print(DisplayWidth.singleLine(text))
        return true
    }

    func setTitle(_ title: String) {}
    func ring() { print("\u{7}") }
    func close() {}
}

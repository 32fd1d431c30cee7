import CivilTime
public import DocketCore
public import TerminalUI

/// What is on the screen while a library is being opened: what is done, and how far it is.
///
/// It is shown only if opening takes longer than a moment: on a slow disk, or when a library of an
/// older version is brought to the form of this one.
public struct OpeningScreen {
    private let device: any TerminalDevice
    private let look: Look
    private let name: String
    private let language: Language

    /// - Parameters:
    ///   - device: the terminal.
    ///   - settings: the user's settings.
    ///   - name: the file's name.
    public init(device: any TerminalDevice, settings: Settings, name: String) {
        self.device = device
        look = settings.look(colors: device.colors)
        self.name = name
        language = settings.time.language
    }

    /// Draws and reads keys until the library is open, could not be opened, or the user leaves.
    ///
    /// - Returns: false if the user left before the end.
    public func run(_ opening: LibraryOpening) -> Bool {
        while !opening.isDone {
            draw(opening)
            for event in device.events(until: nil) {
                switch event {
                case .input(.key(.escape)), .input(.key(.ctrl("c"))),
                    .input(.key(Key(.character("q")))):
                    // An upgrade ends at once; a disk that does not answer is not waited for.
                    opening.cancel()
                    return opening.wait(atMost: .seconds(1))
                case .terminationAsked:
                    opening.cancel()
                    return false
                case .suspensionAsked: device.suspend()
                default: break
                }
            }
        }
        return true
    }

    private func draw(_ opening: LibraryOpening) {
        var canvas = Canvas(size: device.size, symbols: look.symbols)
        Language.$current.withValue(language) {
            OpeningScreen.render(into: &canvas, name, opening.upgradeProgress, look: look)
        }
        device.present(canvas)
    }

    static func render(
        into canvas: inout Canvas,
        _ name: String,
        _ progress: (step: UpgradeStep, part: Double)?,
        look: Look
    ) {
        let (rows, columns) = (canvas.size.rows, canvas.size.columns)
        canvas.fill(canvas.bounds, style: look[.text])
        canvas.draw(in: Rect(row: 0, column: 0, rows: min(1, rows), columns: columns)) {
            TitleLine(crumbs: [localized("Opening \(name)")], status: []).render(
                into: &$0,
                look: look
            )
        }
        let row = rows / 2 - 1
        let width = min(60, columns - 4)
        if let progress, row > 0, width >= 12 {
            let column = (columns - width) / 2
            let sentence = progress.step.title
            canvas.put(
                DisplayWidth.truncate(sentence, to: width, symbols: look.symbols),
                at: Position(row: row, column: column),
                style: look[.text]
            )
            let percent = "\(Int(progress.part * 100)) %"
            let length = width - 6
            let full = min(length, Int(progress.part * Double(length)))
            let (done, left) = look.isASCII ? ("#", ".") : ("█", "░")
            canvas.put(
                String(repeating: done, count: full)
                    + String(repeating: left, count: length - full),
                at: Position(row: row + 1, column: column),
                style: look[.info]
            )
            canvas.put(
                percent,
                at: Position(row: row + 1, column: column + width - percent.count),
                style: look[.text]
            )
            if row + 3 < rows - 1 {
                canvas.put(
                    DisplayWidth.truncate(
                        localized("The library as it was is kept as a backup."),
                        to: width,
                        symbols: look.symbols
                    ),
                    at: Position(row: row + 3, column: column),
                    style: look[.dim]
                )
            }
        }
        if rows > 1 {
            let words =
                progress == nil
                ? localized("quits") : localized("stops; the library stays as it was")
            canvas.put(
                [TextRun(" q", look[.hintKey]), TextRun(" \(words)", look[.hintText])],
                at: Position(row: rows - 1, column: 0),
                width: columns
            )
        }
    }
}

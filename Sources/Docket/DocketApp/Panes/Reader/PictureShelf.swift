import ObjectGraph
import Phrases
import TerminalUI

/// The pictures of the texts that are read: each is read on another thread when a row of it is laid
/// out, and again for another width or another form.
///
/// The terminal is asked what it can show behind the first frame with a picture. Until it answers, and
/// if it does not, pictures are half blocks.
final class PictureShelf {
    private let background: Background
    private var pictures: [PictureFile.Demand: Result<Picture, PictureFile.Problem>] = [:]
    private var reading: [PictureFile.Demand: SnapshotTask<Picture>] = [:]
    private var lastID: UInt32 = 0
    private(set) var form = PictureFile.Method.halves
    private var cell = Size(rows: 20, columns: 10)
    /// Changes when a layout with pictures is outdated.
    private(set) var version = 0
    private var question = Question.none

    private enum Question { case none, wanted, asked }

    /// The most rows of a picture.
    private static let mostRows = 20
    /// The most pictures that are kept; beyond them all that are not wanted again go.
    private static let most = 64

    init(_ background: Background) { self.background = background }

    deinit { for task in reading.values { task.cancel() } }

    /// The picture of an address, or why there is none.
    ///
    /// - Returns: `nil` for what is no picture, and while it is read.
    func picture(
        _ address: String,
        columns: Int,
        isLight: Bool
    ) -> Result<Picture, PictureFile.Problem>? {
        guard let path = PictureFile.path(address) else { return nil }
        if question == .none { question = .wanted }
        let room = Size(rows: Self.mostRows, columns: columns)
        let demand = PictureFile.Demand(
            path: path,
            room: room,
            form: form,
            cell: cell,
            isLight: isLight
        )
        if let known = pictures[demand] { return known }
        guard reading[demand] == nil else { return nil }
        lastID += 1
        reading[demand] = background.start("picture") { [lastID] _ in
            try PictureFile.read(demand, id: lastID)
        }
        return nil
    }

    /// Whether a picture was read.
    var hasWork: Bool { reading.values.contains { $0.isDone } }

    /// Takes over what was read.
    func work() {
        if pictures.count > Self.most { pictures = [:] }
        for (demand, task) in reading {
            guard let result = task.result else { continue }
            reading[demand] = nil
            version += 1
            pictures[demand] = result.mapError { error in
                error as? PictureFile.Problem
                    ?? PictureFile.Problem(sentence: localized("The picture cannot be read."))
            }
        }
    }

    /// Whether the terminal is to be asked now; says so once.
    func takeQuestion() -> Bool {
        guard question == .wanted else { return false }
        question = .asked
        return true
    }

    /// Follows an answer of the terminal.
    func adopt(_ report: TerminalReport) {
        let former = (form, cell)
        switch report {
        case .pictures: form = .png
        case .attributes(let attributes):
            if form == .halves, attributes.dropFirst().contains(4) { form = .sixels }
        case .cell(let size):
            // What nobody's screen has would make a picture of any number of pixels.
            if (4...100).contains(size.rows), (2...100).contains(size.columns) { cell = size }
        default: break
        }
        if former != (form, cell) { version += 1 }
    }
}

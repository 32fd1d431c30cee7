import CTerminal
import FoundationEssentials
import TerminalUI

/// Rows of a picture that are one below the other on the screen, in the protocol of kitty.
struct PicturePlacement: Hashable {
    let id: UInt32
    /// Which of the placements of its picture it is, from 1.
    let number: Int
    let firstRow: Int
    var count: Int
    let position: Position
}

// Cells below pictures are blank for ncurses. In the protocol of kitty a picture is sent once and
// placed in each frame in which it has moved; a placement with the same number moves without
// flicker. Sixels become a part of the cells: a row that changes is drawn again as a whole by ncurses
// first, and then its part of the picture.
extension Terminal {
    /// What shows the pictures of a canvas, behind the frame.
    func pictureBytes(_ canvas: Canvas, _ update: ScreenUpdate) -> [UInt8] {
        // Clearing the screen has taken them away.
        if update.isComplete { placements = [] }
        let former = update.isComplete ? nil : shown
        if canvas.pictures.isEmpty, placements.isEmpty, former?.pictures.isEmpty ?? true {
            return []
        }
        let changed = Set(update.changedRows)
        if let former {
            for row in former.pictureRows where changed.contains(row.position.row) {
                if case .sixels? = former.pictures[row.id]?.content {
                    wredrawln(cterminal_screen(), Int32(row.position.row), 1)
                }
            }
        }
        let rows = canvas.pictureRows
        let wanted = Terminal.placements(rows, canvas)
        var bytes = picturesGone(except: wanted)
        let known = Set(placements.map(\.id))
        var sent = known
        for placement in wanted.subtracting(placements) {
            guard case .png(let file, let rowPixels)? = canvas.pictures[placement.id]?.content
            else { continue }
            if sent.insert(placement.id).inserted { bytes += Terminal.sending(file, placement.id) }
            let columns = canvas.pictures[placement.id]?.size.columns ?? 1
            let place =
                "a=p,q=2,i=\(placement.id),p=\(placement.number),c=\(columns),r=\(placement.count),"
                + "y=\(placement.firstRow * rowPixels),h=\(placement.count * rowPixels),C=1"
            bytes += Terminal.move(placement.position) + "\u{1B}_G\(place)\u{1B}\\".utf8
        }
        placements = wanted
        for row in rows where changed.contains(row.position.row) && row.position.row + 1 < size.rows
        {
            guard case .sixels(let lines)? = canvas.pictures[row.id]?.content else { continue }
            bytes +=
                Terminal.move(row.position) + "\u{1B}P0;1q".utf8 + lines[row.row] + "\u{1B}\\".utf8
        }
        return bytes.isEmpty ? [] : "\u{1B}7".utf8 + bytes + "\u{1B}8".utf8
    }

    /// What takes placements off the screen, and pictures without one out of the terminal.
    func picturesGone(except wanted: Set<PicturePlacement>) -> [UInt8] {
        let (kept, places) = (Set(wanted.map(\.id)), Set(wanted.map(\.place)))
        var gone: Set<String> = []
        for placement in placements where !places.contains(placement.place) {
            gone.insert(
                kept.contains(placement.id)
                    ? "d=i,i=\(placement.id),p=\(placement.number)" : "d=I,i=\(placement.id)"
            )
        }
        if wanted.isEmpty { placements = [] }
        return gone.sorted().flatMap { "\u{1B}_Ga=d,q=2,\($0)\u{1B}\\".utf8 }
    }

    private static func placements(_ rows: [PictureRow], _ canvas: Canvas) -> Set<PicturePlacement>
    {
        var found: [PicturePlacement] = []
        var numbers: [UInt32: Int] = [:]
        for row in rows {
            guard case .png? = canvas.pictures[row.id]?.content else { continue }
            let next = found.firstIndex {
                $0.id == row.id && $0.firstRow + $0.count == row.row
                    && $0.position.offset(rows: $0.count) == row.position
            }
            if let next {
                found[next].count += 1
            } else {
                numbers[row.id, default: 0] += 1
                found.append(
                    PicturePlacement(
                        id: row.id,
                        number: numbers[row.id] ?? 1,
                        firstRow: row.row,
                        count: 1,
                        position: row.position
                    )
                )
            }
        }
        return Set(found)
    }

    private static func move(_ position: Position) -> [UInt8] {
        Array("\u{1B}[\(position.row + 1);\(position.column + 1)H".utf8)
    }

    /// The most bytes of a part of a picture.
    private static let longestPart = 4096

    private static func sending(_ file: [UInt8], _ id: UInt32) -> [UInt8] {
        let text = Array(Data(file).base64EncodedString().utf8)
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: text.count, by: longestPart) {
            let end = min(start + longestPart, text.count)
            let head = start == 0 ? "a=t,q=2,f=100,i=\(id)," : ""
            bytes += "\u{1B}_G\(head)m=\(end < text.count ? 1 : 0);".utf8
            bytes += text[start..<end] + "\u{1B}\\".utf8
        }
        return bytes
    }
}

extension PicturePlacement {
    fileprivate var place: String { "\(id) \(number)" }
}

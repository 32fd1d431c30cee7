import CPictures
import DocketCore
import DocketFormats
import FoundationEssentials
import Glibc
import TerminalUI

/// The file of a picture that a text names, as the terminal shows it.
enum PictureFile {
    /// What a terminal can show.
    enum Method: Hashable, Sendable {
        case halves
        case png
        case sixels
    }

    /// How a picture is wanted.
    struct Demand: Hashable, Sendable {
        var path: String
        /// The most columns and rows.
        var room: Size
        var form: Method
        /// The pixels of a cell.
        var cell: Size
        /// What transparent parts get.
        var isLight: Bool
    }

    /// Why nothing is shown, one sentence.
    struct Problem: Error {
        let sentence: String
    }

    private static let largest = 64 << 20

    /// The path of the picture that an address means; `nil` for other files and addresses.
    static func path(_ address: String) -> String? {
        let isFile = address.hasPrefix("file:///")
        let path = isFile ? URL(string: address)?.path ?? "" : UserPath.expanded(address)
        let end = path.suffix(5).lowercased()
        let isPicture = end.hasSuffix(".png") || end.hasSuffix(".jpg") || end.hasSuffix(".jpeg")
        return path.hasPrefix("/") && isPicture ? path : nil
    }

    /// Reads and decodes a picture; it is not made larger than its pixels.
    ///
    /// - Throws: ``Problem``.
    static func read(_ demand: Demand, id: UInt32) throws(Problem) -> Picture {
        let bytes = try bytes(demand.path)
        var pixels = cpictures_size(width: 0, height: 0)
        try check(cpictures_measure(bytes, bytes.count, &pixels))
        let size = size(Size(rows: Int(pixels.height), columns: Int(pixels.width)), demand)
        let isHalves = demand.form == .halves
        let wanted = cpictures_size(
            width: UInt32(size.columns * (isHalves ? 1 : demand.cell.columns)),
            height: UInt32(size.rows * (isHalves ? 2 : demand.cell.rows))
        )
        var colors = [UInt8](repeating: 0, count: Int(wanted.width * wanted.height) * 3)
        let background: UInt8 = demand.isLight ? 255 : 0
        try check(cpictures_decode(bytes, bytes.count, wanted, background, &colors))
        return Picture(id: id, size: size, content: content(demand, size, wanted, colors))
    }

    /// The columns and rows of a picture with some pixels.
    private static func size(_ pixels: Size, _ demand: Demand) -> Size {
        let (room, cell) = (demand.room, demand.cell)
        let scale = min(
            1,
            Double(room.columns * cell.columns) / Double(pixels.columns),
            Double(room.rows * cell.rows) / Double(pixels.rows)
        )
        func cells(_ pixels: Int, _ cell: Int) -> Int {
            max(1, Int((Double(pixels) * scale / Double(cell)).rounded()))
        }
        return Size(
            rows: min(room.rows, cells(pixels.rows, cell.rows)),
            columns: min(room.columns, cells(pixels.columns, cell.columns))
        )
    }

    private static func content(
        _ demand: Demand,
        _ size: Size,
        _ pixels: cpictures_size,
        _ colors: [UInt8]
    ) -> Picture.Content {
        var length = 0
        switch demand.form {
        case .png:
            let file = cpictures_png(colors, pixels, &length)
            defer { free(file) }
            let bytes = UnsafeBufferPointer(start: file, count: length)
            return .png(Array(bytes), rowPixels: demand.cell.rows)
        case .sixels:
            let strip = cpictures_size(width: pixels.width, height: UInt32(demand.cell.rows))
            let count = Int(strip.width * strip.height) * 3
            return .sixels(
                (0..<size.rows).map { row in
                    let part = Array(colors[row * count..<(row + 1) * count])
                    let text = cpictures_sixel(part, strip, &length)
                    defer { free(text) }
                    return UnsafeRawBufferPointer(start: text, count: length).map { $0 }
                }
            )
        case .halves:
            func color(_ row: Int, _ column: Int) -> Color {
                let place = (row * size.columns + column) * 3
                return Color.rgb(colors[place], colors[place + 1], colors[place + 2])
                    .degraded(to: 256)
            }
            return .halves(
                (0..<size.rows * size.columns).flatMap { cell in
                    let (row, column) = (2 * (cell / size.columns), cell % size.columns)
                    return [color(row, column), color(row + 1, column)]
                }
            )
        }
    }

    private static func bytes(_ path: String) throws(Problem) -> [UInt8] {
        let size: Int
        do throws(PlainFile.Problem) { size = try PlainFile(path).size } catch {
            throw Problem(sentence: localized("The picture \(error.reason)."))
        }
        if size > largest {
            throw Problem(sentence: localized("The picture has more than \(largest >> 20) MB."))
        }
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw Problem(sentence: localized("The picture cannot be read."))
        }
        return Array(data)
    }

    private static func check(_ found: cpictures_problem) throws(Problem) {
        switch found {
        case cpictures_fine: return
        case cpictures_unknown:
            throw Problem(
                sentence: localized(
                    "The file is not a picture in PNG or in JPEG with up to 3 colours."
                )
            )
        case cpictures_large:
            let most = Int(CPICTURES_MOST) / 1_000_000
            throw Problem(sentence: localized("The picture has more than \(most) million pixels."))
        case cpictures_memory:
            throw Problem(sentence: localized("There is no memory for the picture."))
        default: throw Problem(sentence: localized("The picture is damaged."))
        }
    }
}

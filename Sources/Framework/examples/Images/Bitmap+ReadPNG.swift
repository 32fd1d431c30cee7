import FoundationEssentials
import ObjectGraph

extension Bitmap {
    /// A picture from a PNG file, whichever program wrote it.
    ///
    /// Every colour type and bit depth is read, as 8 bits for each channel; of 16 bits the lower 8
    /// are lost. Interlaced files are refused. Colour profiles and animations are ignored.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/damagedFile`` if the data are
    ///   not a PNG file or a damaged one, ``ObjectGraphError/Code/unsupported`` if it is interlaced
    ///   or has more than 64 million pixels.
    /// - Complexity: O(pixels).
    convenience init(png: Data) throws {
        var reader = PNGReader()
        try reader.read([UInt8](png))
        let rows = try reader.rows()
        try self.init(
            width: reader.width,
            height: reader.height,
            bytes: try reader.pixels(of: rows)
        )
    }
}

/// Reads a PNG file: chunks, then rows, then pixels.
private struct PNGReader {
    private(set) var width = 0
    private(set) var height = 0
    private var depth = 0
    private var kind = Kind.gray
    private var palette: [UInt8] = []
    private var transparency: [UInt8] = []
    private var compressed: [UInt8] = []

    private static let mostPixels = 64_000_000

    private enum Kind: UInt8 {
        case gray = 0
        case color = 2
        case palette = 3
        case grayAlpha = 4
        case colorAlpha = 6

        /// How many numbers a pixel has.
        var samples: Int {
            switch self {
            case .gray, .palette: 1
            case .grayAlpha: 2
            case .color: 3
            case .colorAlpha: 4
            }
        }

        var depths: Set<Int> {
            switch self {
            case .gray: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            default: [8, 16]
            }
        }
    }

    mutating func read(_ file: [UInt8]) throws {
        guard file.starts(with: PNGFile.signature) else {
            throw PNGFile.damaged("it does not start with the PNG signature")
        }
        var place = PNGFile.signature.count
        while place + 12 <= file.count {
            let length = PNGFile.number(file[place..<place + 4])
            guard length <= file.count - place - 12 else { break }
            let end = place + 8 + length
            let body = file[place + 4..<end]
            guard PNGFile.number(file[end..<end + 4]) == Int(PNGFile.crc(body)) else {
                throw PNGFile.damaged("the check value of a chunk is wrong")
            }
            let type = String(decoding: body.prefix(4), as: UTF8.self)
            if type == "IEND" {
                if width == 0 || compressed.isEmpty { break }
                return
            }
            try take(type, body.dropFirst(4))
            place = end + 4
        }
        throw PNGFile.damaged("it ends too early")
    }

    private mutating func take(_ type: String, _ content: ArraySlice<UInt8>) throws {
        switch type {
        case "IHDR": try takeHeader(Array(content))
        case "PLTE": palette = Array(content)
        case "tRNS": transparency = Array(content)
        case "IDAT": compressed += content
        default:
            // A capital first letter means that the picture cannot be shown without this chunk.
            if type.first?.isUppercase ?? true {
                throw PNGFile.damaged("it has an unknown critical chunk")
            }
        }
    }

    private mutating func takeHeader(_ header: [UInt8]) throws {
        guard header.count == 13, width == 0, let kind = Kind(rawValue: header[9]),
            kind.depths.contains(Int(header[8])), header[10] == 0, header[11] == 0, header[12] < 2
        else { throw PNGFile.damaged("its header is invalid") }
        width = PNGFile.number(header[0..<4])
        height = PNGFile.number(header[4..<8])
        depth = Int(header[8])
        self.kind = kind
        guard width > 0, height > 0 else { throw PNGFile.damaged("it has no pixels") }
        guard header[12] == 0, height <= Self.mostPixels / width else {
            throw ObjectGraphError(
                .unsupported,
                header[12] == 0
                    ? "A picture of \(width) by \(height) pixels is too large."
                    : "The picture is an interlaced PNG file.",
                recovery: "Write it again, smaller and not interlaced."
            )
        }
    }

    // MARK: Rows

    private var rowLength: Int { (width * kind.samples * depth + 7) / 8 }

    /// The rows with their filters undone, without the filter bytes.
    func rows() throws -> [UInt8] {
        let length = rowLength
        let filtered = try PNGFile.decompressed(compressed, count: (length + 1) * height)
        let step = max(1, kind.samples * depth / 8)
        // The first row is filtered against a row of zeros, and each row against zeros to its left.
        var above = [UInt8](repeating: 0, count: step + length)
        var row = above
        var rows: [UInt8] = []
        rows.reserveCapacity(length * height)
        for start in stride(from: 0, to: filtered.count, by: length + 1) {
            guard let filter = PNGFile.Filter(rawValue: filtered[start]) else {
                throw PNGFile.damaged("a row has an unknown filter")
            }
            for place in step..<step + length {
                let byte = filtered[start + 1 + place - step]
                switch filter {
                case .none: row[place] = byte
                case .sub: row[place] = byte &+ row[place - step]
                case .up: row[place] = byte &+ above[place]
                case .average:
                    row[place] = byte &+ UInt8((Int(row[place - step]) + Int(above[place])) / 2)
                case .paeth:
                    row[place] =
                        byte &+ Self.paeth(row[place - step], above[place], above[place - step])
                }
            }
            rows += row[step...]
            swap(&row, &above)
        }
        return rows
    }

    /// The neighbour that is nearest to left + up - corner.
    private static func paeth(_ left: UInt8, _ up: UInt8, _ corner: UInt8) -> UInt8 {
        let (a, b, c) = (Int(left), Int(up), Int(corner))
        let distances = (abs(b - c), abs(a - c), abs(a + b - 2 * c))
        if distances.0 <= distances.1, distances.0 <= distances.2 { return left }
        return distances.1 <= distances.2 ? up : corner
    }

    // MARK: Pixels

    /// Red, green, blue and alpha of each pixel of some rows.
    func pixels(of rows: [UInt8]) throws -> [UInt8] {
        // Files that we write have this layout already: it is copied as it is.
        if kind == .colorAlpha, depth == 8 { return rows }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 4)
        var numbers = [Int](repeating: 0, count: kind.samples)
        for start in stride(from: 0, to: rows.count, by: rowLength) {
            for column in 0..<width {
                for part in numbers.indices {
                    numbers[part] = number(column * numbers.count + part, rows, start)
                }
                try append(numbers, to: &pixels)
            }
        }
        return pixels
    }

    private func append(_ numbers: [Int], to pixels: inout [UInt8]) throws {
        switch kind {
        case .gray, .grayAlpha:
            let gray = scaled(numbers[0])
            for _ in 0..<3 { pixels.append(gray) }
            pixels.append(kind == .gray ? alpha(numbers) : scaled(numbers[1]))
        case .color, .colorAlpha:
            for number in numbers { pixels.append(scaled(number)) }
            if kind == .color { pixels.append(alpha(numbers)) }
        case .palette:
            let entry = numbers[0]
            guard entry * 3 + 3 <= palette.count else {
                throw PNGFile.damaged("a pixel has no colour")
            }
            pixels += palette[entry * 3..<entry * 3 + 3]
            pixels.append(entry < transparency.count ? transparency[entry] : 255)
        }
    }

    /// One number of a row: one, two or four bits, or one or two bytes.
    private func number(_ index: Int, _ rows: [UInt8], _ start: Int) -> Int {
        if depth == 8 { return Int(rows[start + index]) }
        if depth == 16 {
            return Int(rows[start + index * 2]) << 8 | Int(rows[start + index * 2 + 1])
        }
        let bit = index * depth
        return Int(rows[start + bit / 8]) >> (8 - depth - bit % 8) & (1 << depth - 1)
    }

    /// A number scaled to 8 bits: the greatest becomes 255.
    private func scaled(_ number: Int) -> UInt8 {
        UInt8(depth == 16 ? number >> 8 : number * 255 / (1 << depth - 1))
    }

    /// A PNG file can name one colour that is transparent.
    private func alpha(_ numbers: [Int]) -> UInt8 {
        guard transparency.count == numbers.count * 2 else { return 255 }
        let isHidden = numbers.indices.allSatisfy { index in
            PNGFile.number(transparency[index * 2..<index * 2 + 2]) == numbers[index]
        }
        return isHidden ? 0 : 255
    }
}

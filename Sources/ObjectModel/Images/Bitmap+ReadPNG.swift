public import FoundationEssentials

extension Bitmap {
    /// A picture from a PNG file, whichever program wrote it.
    ///
    /// Every colour type and bit depth is read, as 8 bits for each part; of 16 bits the lower 8 are
    /// lost. Interlaced files are refused, colour profiles and animations ignored.
    ///
    /// - Throws: `ObjectGraphError` with code ``ObjectGraphError/Code/damagedFile`` if it is no PNG
    ///   file or a damaged one, ``ObjectGraphError/Code/unsupported`` if it is interlaced or has
    ///   more than 64 million pixels.
    /// - Complexity: O(pixels).
    public convenience init(png: Data) throws {
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
            throw PNGFile.damaged("it does not begin like one")
        }
        var place = PNGFile.signature.count
        while place + 12 <= file.count {
            let length = PNGFile.number(file[place..<place + 4])
            guard length <= file.count - place - 12 else { break }
            let end = place + 8 + length
            let body = file[place + 4..<end]
            guard PNGFile.number(file[end..<end + 4]) == Int(PNGFile.crc(body)) else {
                throw PNGFile.damaged("a part of it was changed")
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
            // A capital first letter says that the picture cannot be shown without this part.
            if type.first?.isUppercase ?? true {
                throw PNGFile.damaged("it has an unknown part")
            }
        }
    }

    private mutating func takeHeader(_ header: [UInt8]) throws {
        guard header.count == 13, width == 0, let kind = Kind(rawValue: header[9]),
            kind.depths.contains(Int(header[8])), header[10] == 0, header[11] == 0, header[12] < 2
        else { throw PNGFile.damaged("its header makes no sense") }
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

    /// The rows as they were before their filters.
    func rows() throws -> [UInt8] {
        let length = rowLength
        var rows = try Inflate.zlib(compressed, limit: (length + 1) * height)
        let step = max(1, kind.samples * depth / 8)
        for row in 0..<height {
            let start = row * (length + 1) + 1
            guard let filter = PNGFile.Filter(rawValue: rows[start - 1]) else {
                throw PNGFile.damaged("a row has no filter")
            }
            if filter == .none { continue }
            for column in 0..<length {
                let place = start + column
                let left = column < step ? 0 : rows[place - step]
                let up = row == 0 ? 0 : rows[place - length - 1]
                let corner = column < step || row == 0 ? 0 : rows[place - length - 1 - step]
                switch filter {
                case .none: break
                case .sub: rows[place] &+= left
                case .up: rows[place] &+= up
                case .average: rows[place] &+= UInt8((Int(left) + Int(up)) / 2)
                case .paeth: rows[place] &+= Self.paeth(Int(left), Int(up), Int(corner))
                }
            }
        }
        return rows
    }

    /// Whichever neighbour is nearest to left + up - corner.
    private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> UInt8 {
        let distances = (abs(up - corner), abs(left - corner), abs(left + up - 2 * corner))
        if distances.0 <= distances.1, distances.0 <= distances.2 { return UInt8(left) }
        return UInt8(distances.1 <= distances.2 ? up : corner)
    }

    // MARK: Pixels

    func pixels(of rows: [UInt8]) throws -> [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 4)
        for row in 0..<height {
            let start = row * (rowLength + 1) + 1
            for column in 0..<width {
                try append(column, rows[start..<start + rowLength], to: &pixels)
            }
        }
        return pixels
    }

    private func append(
        _ column: Int,
        _ row: ArraySlice<UInt8>,
        to pixels: inout [UInt8]
    ) throws {
        let numbers = (0..<kind.samples).map { sample(column * kind.samples + $0, row) }
        switch kind {
        case .gray:
            let gray = scaled(numbers[0])
            pixels += [gray, gray, gray, alpha(numbers)]
        case .grayAlpha:
            let gray = scaled(numbers[0])
            pixels += [gray, gray, gray, scaled(numbers[1])]
        case .color:
            pixels += numbers.map(scaled) + [alpha(numbers)]
        case .colorAlpha:
            pixels += numbers.map(scaled)
        case .palette:
            let entry = numbers[0]
            guard entry * 3 + 3 <= palette.count else {
                throw PNGFile.damaged("a pixel has no colour")
            }
            pixels += palette[entry * 3..<entry * 3 + 3]
            pixels.append(entry < transparency.count ? transparency[entry] : 255)
        }
    }

    private func sample(_ index: Int, _ row: ArraySlice<UInt8>) -> Int {
        if depth == 16 {
            let place = row.startIndex + index * 2
            return PNGFile.number(row[place..<place + 2])
        }
        let bit = index * depth
        let byte = Int(row[row.startIndex + bit / 8])
        return byte >> (8 - depth - bit % 8) & (1 << depth - 1)
    }

    /// A number in 8 bits: the greatest becomes 255.
    private func scaled(_ number: Int) -> UInt8 {
        UInt8(depth == 16 ? number >> 8 : number * 255 / (1 << depth - 1))
    }

    /// One colour can be named as the transparent one.
    private func alpha(_ numbers: [Int]) -> UInt8 {
        guard transparency.count == numbers.count * 2 else { return 255 }
        let hidden = numbers.indices.map { PNGFile.number(transparency[$0 * 2..<$0 * 2 + 2]) }
        return hidden == numbers ? 0 : 255
    }
}

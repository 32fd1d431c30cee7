import CPictures
import FoundationEssentials
import Glibc

/// Pictures in notes.
extension ParserEntry {
    static let pictures = [
        ParserEntry("picture") { bytes in
            var size = cpictures_size(width: 0, height: 0)
            guard cpictures_measure(bytes, bytes.count, &size) == cpictures_fine else { return }
            try keeps(size.width > 0 && size.height > 0, "a picture has no pixels")
            for (width, height) in [(8, 6), (1, 1), (37, 11), (640, 2)] as [(UInt32, UInt32)] {
                let wanted = cpictures_size(width: width, height: height)
                guard let pixels = Self.pixels(of: bytes, wanted, background: 255) else { continue }
                var length = 0
                let file = cpictures_png(pixels, wanted, &length)
                defer { free(file) }
                let written = Array(UnsafeBufferPointer(start: file, count: length))
                try keeps(
                    cpictures_measure(written, length, &size) == cpictures_fine
                        && (size.width, size.height) == (width, height),
                    "a picture that is written has another size"
                )
                try keeps(
                    Self.pixels(of: written, wanted, background: 0) == pixels,
                    "a picture that is written and read is another one"
                )
                let text = cpictures_sixel(pixels, wanted, &length)
                defer { free(text) }
                let sixels = UnsafeRawBufferPointer(start: text, count: length)
                try keeps(
                    !sixels.isEmpty && sixels.allSatisfy { 0x20..<0x7F ~= $0 },
                    "sixels have a control character"
                )
            }
        }
    ]

    private static func pixels(
        of bytes: [UInt8],
        _ wanted: cpictures_size,
        background: UInt8
    ) -> [UInt8]? {
        var pixels = [UInt8](repeating: 0, count: Int(wanted.width * wanted.height) * 3)
        let found = cpictures_decode(bytes, bytes.count, wanted, background, &pixels)
        return found == cpictures_fine ? pixels : nil
    }
}

extension ParserSeeds {
    /// 23 × 17 pixels in PNG with transparent ones and in JPEG of several passes, and 16 × 16 in
    /// JPEG of one.
    static let pictures = [
        """
        iVBORw0KGgoAAAANSUhEUgAAABcAAAARCAYAAAA2cze9AAAA9klEQVR4nK2RUXKDMAxEH1hLAScl03Z6/+P5GP3ALsL
        jQNL0Y2elFfPQyB1AhBDBsodG/6eZsTBBF6Cz7L5+KXPw3qD/VzcWxvVvvUEIECwrVP5IvcvK5g5u5vRSX8PzB7I7em
        rWgufhcKRwMjcYzuBvXqr6M6k8qBrwDBu9VPWHWdncw7XffBRMlvVU7c+iCu42nwSzwVx7K/ud3YMrb649PApi7a3MI
        KqGK99cbnPt4RfBxbL7us6Sf9AC92fRdvNZG/xqcFWlkqW1/o7+QT28tbmHC96LzNUJvmLpz+A6hi9eCT6jz47gwwPw
        AW4JboKPuPqmHyr/Fnhrt+NTAAAAAElFTkSuQmCC
        """,
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNyw
        tQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT0
        9PT09PT09PT09PT09PT09PT09PT0//wgARCAARABcDASIAAhEBAxEB/8QAFwABAQEBAAAAAAAAAAAAAAAAAAQFAv/EA
        BkBAAIDAQAAAAAAAAAAAAAAAAIFAAMEBv/aAAwDAQACEAMQAAABxabbKAz2yjOe0Dm+xibf/8QAGBAAAwEBAAAAAAAA
        AAAAAAAAAAIDARH/2gAIAQEAAQUCyZkzJCzFmYnBRRT/xAAaEQACAgMAAAAAAAAAAAAAAAAAAgMEAREx/9oACAEDAQE
        /AYbItnOiIXh//8QAGxEAAwACAwAAAAAAAAAAAAAAAAECAwQREjH/2gAIAQIBAT8Bl9iqxS+GzXI8P//EABQQAQAAAA
        AAAAAAAAAAAAAAADD/2gAIAQEABj8CH//EABkQAQEAAwEAAAAAAAAAAAAAAABhASAhQf/aAAgBAQABPyGSaSCLD47pv
        //aAAwDAQACAAMAAAAQKDj8/8QAGBEAAgMAAAAAAAAAAAAAAAAAAREAECH/2gAIAQMBAT8QUthg3P/EABkRAAMAAwAA
        AAAAAAAAAAAAAAABMUFxsf/aAAgBAgEBPxA9AtN8RgRP/8QAGRABAAMBAQAAAAAAAAAAAAAAABEhMUFR/9oACAEBAAE
        /EMzIqMyaCgt4cOGX/9k=
        """,
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKra
        rYqMyP/L2u71////m8H////6/+b9//j/wAALCAAQABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEA
        AAAAAAAAAAAAAAAAAAAA/9oACAEBAAA/ALgH/9k=
        """,
    ].compactMap { Data(base64Encoded: $0.replacing("\n", with: "")) }
}

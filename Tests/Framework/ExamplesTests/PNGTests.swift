import Foundation
import ObjectGraph
import SeededRandom
import Testing

@testable import examples

/// Pictures to PNG files and back; the files in Base64 were written by another program's zlib.
@Suite struct PNGTests {
    private func bitmap(_ base64: String) throws -> Bitmap {
        try Bitmap(png: try #require(Data(base64Encoded: base64)))
    }

    private func random(
        _ width: Int,
        _ height: Int,
        _ generator: inout SeededRandom
    ) throws
        -> Bitmap
    {
        // Few colours, so that there are repetitions, and some noise between them.
        let colors = (0..<4).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let bytes = (0..<width * height * 4).map { _ in
            Bool.random(using: &generator)
                ? colors[Int.random(in: 0..<4, using: &generator)]
                : UInt8.random(in: 0...255, using: &generator)
        }
        return try Bitmap(width: width, height: height, bytes: bytes)
    }

    @Test func writtenPictureReadsBackAsItWas() throws {
        var generator = SeededRandom()
        for (width, height) in [(1, 1), (1, 9), (9, 1), (16, 16), (33, 21), (200, 150)] {
            let picture = try random(width, height, &generator)
            let read = try Bitmap(png: picture.pngData)
            #expect(read == picture, "\(width) by \(height)")
        }
    }

    @Test func pictureOfOneColorIsSmall() throws {
        let picture = try Bitmap(width: 300, height: 200) { _, _ in
            Bitmap.Pixel(red: 1, green: 2, blue: 3)
        }
        #expect(picture.pngData.count < 4_000, "of 240,000 bytes in memory")
        #expect(try Bitmap(png: picture.pngData) == picture)
    }

    @Test(arguments: [
        "iVBORw0KGgoAAAANSUhEUgAAAAMAAAAFCAIAAAAPE8H1AAAALklEQVR42mNg+M+gcZ0hYD0DI9d/I40bDEDExMVgBEHMIg0p"
            + "km8kgYgFLMAARAA8XAp76y/fCQAAAABJRU5ErkJggg==",
        "iVBORw0KGgoAAAANSUhEUgAAAAMAAAAFCAIAAAAPE8H1AAAAPUlEQVR4AQEyAM3/AAD/ACjXAFCvAAEK/zIo2AAo2AACCgAy"
            + "CgAyCgAyAxSAZBnsGRnsGQQKADIKAAAKAAA8XAp7VyqsxgAAAABJRU5ErkJggg==",
    ])
    func everyRowFilterIsTakenBack(file: String) throws {
        let expected = try Bitmap(width: 3, height: 5) { x, y in
            Bitmap.Pixel(
                red: UInt8(x * 40 + y * 10),
                green: UInt8(255 - x * 40),
                blue: UInt8(y * 50)
            )
        }
        #expect(try bitmap(file) == expected)
    }

    @Test func bitsBecomeBlackAndWhite() throws {
        let picture = try bitmap(
            "iVBORw0KGgoAAAANSUhEUgAAAAoAAAACAQAAAABJGnB9AAAADklEQVR42mNYdYDhPwMACFYCaos0BDsAAAAASUVORK5CYII="
        )
        #expect((0..<10).map { picture[$0, 0].red / 255 } == [1, 0, 1, 0, 1, 0, 1, 0, 1, 1])
        #expect((0..<10).map { picture[$0, 1].blue / 255 } == [1, 1, 1, 1, 1, 1, 1, 1, 0, 0])
    }

    @Test func paletteGivesColorAndTransparency() throws {
        let picture = try bitmap(
            "iVBORw0KGgoAAAANSUhEUgAAAAMAAAABAgMAAABmjvwnAAAACVBMVEX/AAAA/wAAAP8tSs2KAAAAAnRSTlP/gAgPs2oAAAAK"
                + "SURBVHjaY5AAAAAaABmAAI67AAAAAElFTkSuQmCC"
        )
        #expect(picture.bytes == [255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 255])
    }

    @Test func sixteenBitsKeepTheUpperEight() throws {
        let picture = try bitmap(
            "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABEAQAAAAOu2tCAAAAEUlEQVR42mMQMvn/f/XZBgYAEw0EPQNEzdgAAAAASUVORK5C"
                + "YII="
        )
        #expect(picture.bytes == [0x12, 0x12, 0x12, 0xFF, 0xAB, 0xAB, 0xAB, 0x80])
    }

    @Test func namedColorIsTransparent() throws {
        let picture = try bitmap(
            "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAAAAADRSSBWAAAAAnRSTlMAB+j3WJsAAAALSURBVHjaY2DnAAAAGQAQHbmfrAAA"
                + "AABJRU5ErkJggg=="
        )
        #expect(picture.bytes == [7, 7, 7, 0, 8, 8, 8, 255])
    }

    @Test func codesOfTheFilesOwnAreRead() throws {
        let picture = try bitmap(
            "iVBORw0KGgoAAAANSUhEUgAAADwAAAABCAYAAACCGM0BAAAAfklEQVR42h2OyREAQQgCNxRSw5P8I1iclyVg45eIDknYCnEX"
                + "hBqFGJIAF3VaOVFTnm0JkUAHBoC36oYBoAom5MmY0MvtyAYbL5uJYuGgg9FTD5gnUb40QrPDx/BpnZeBJiIOVC7O"
                + "6chsWya0HFSwd9ZmPwaLm0Tq1boRfs5VP6YJR0UoDEcpAAAAAElFTkSuQmCC"
        )
        // The sum of all bytes, as the other program counted it.
        #expect(picture.bytes.count == 240)
        #expect(picture.bytes.reduce(0) { $0 + Int($1) } == 18_244)
    }

    @Test func interlacedFileIsRefused() throws {
        let error = #expect(throws: ObjectGraphError.self) {
            try bitmap(
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAFNeavDAAAACklEQVR42mNgBwAACQAIjau5AQAAAABJRU5ErkJggg=="
            )
        }
        #expect(error?.code == .unsupported)
    }

    @Test func damagedFileIsRefusedWhereverItIsDamaged() throws {
        var generator = SeededRandom()
        let file = try random(12, 7, &generator).pngData
        for place in file.indices {
            var damaged = file
            damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            #expect(throws: ObjectGraphError.self, "byte \(place)") {
                try Bitmap(png: damaged)
            }
            #expect(throws: ObjectGraphError.self, "\(place) bytes") {
                try Bitmap(png: file[..<place])
            }
        }
    }

    @Test func bytesThatDoNotFitTheSizeAreRefused() {
        for (width, height, count) in [
            (0, 0, 0), (2, 2, 15), (2, 2, 12), (-1, -1, 4), (.max, 4, 8),
        ] {
            #expect(throws: ObjectGraphError.self) {
                try Bitmap(width: width, height: height, bytes: Array(repeating: 0, count: count))
            }
        }
    }

    @Test func transformerStoresAFileAndRefusesWhatIsNoPicture() throws {
        PNGTransformer.register()
        let transformer = try #require(ValueTransformers.named("PNG"))
        let picture = try Bitmap(width: 1, height: 1, bytes: [1, 2, 3, 4])
        let data = try transformer.data(for: .opaque(picture))
        #expect(data.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        guard case .opaque(let read as Bitmap) = try transformer.value(for: data) else {
            Issue.record("no picture came back")
            return
        }
        #expect(read == picture)
        #expect(throws: ObjectGraphError.self) { try transformer.data(for: "a picture") }
        #expect(throws: ObjectGraphError.self) { try transformer.value(for: Data("GIF89a".utf8)) }
    }
}

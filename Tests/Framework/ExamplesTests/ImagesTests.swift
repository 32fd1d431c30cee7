import ChildProcess
import Testing

/// What the pictures are in the file.
@Suite struct ImagesTests {
    @Test func picturesAreKeptAsPNGFiles() throws {
        let examples = try Examples()
        let file = examples.path("images.sqlite")
        #expect(try examples("images", "--file", file).end == .code(0))
        // The signature, then the header: 13 bytes, IHDR, width and height.
        let beginnings = "SELECT hex(substr(ZIMAGE, 1, 24)) FROM ZPICTURE ORDER BY ZTITLE"
        let header = "89504E470D0A1A0A0000000D49484452"
        #expect(
            try examples.sqlite3(file, beginnings) == [
                header + "000000180000000C", header + "0000001800000006",
                header + "0000000A00000002",
            ]
        )
    }
}

import Foundation

/// Files of pictures for tests.
enum PictureFiles {
    /// 300 × 200 blue pixels in PNG.
    static let blue = decoded(
        """
        iVBORw0KGgoAAAANSUhEUgAAASwAAADIAQMAAABoEU4WAAAAA1BMVEUAAP+KeNJXAAAAHklEQVR42u3BMQEAAADC
        oPVPbQdvoAAAAAAAAADgNx54AAG94zQeAAAAAElFTkSuQmCC
        """
    )
    /// 16 × 16 grey pixels in JPEG.
    static let grey = decoded(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKra
        rYqMyP/L2u71////m8H////6/+b9//j/wAALCAAQABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEA
        AAAAAAAAAAAAAAAAAAAA/9oACAEBAAA/ALgH/9k=
        """
    )
    /// Some bytes that say they are 100,000 × 100,000 pixels in PNG.
    static let bomb = decoded(
        """
        iVBORw0KGgoAAAANSUhEUgABhqAAAYagCAIAAAAnMJyfAAAAeElEQVR4nO3BMQEAAADCoPVPbQ0PoAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBXA4avAAHErhCqAAAAAElFTkSuQmCC
        """
    )

    private static func decoded(_ text: String) -> Data {
        Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data()
    }
}

import CTerminal
import FoundationEssentials
import Glibc
import TerminalUI

extension Terminal {
    /// A longer text is not sent to the clipboard: terminals ignore it or hang.
    public static let longestCopy = 100_000

    public func copy(_ text: String) -> Bool {
        guard isDrawing, let bytes = Terminal.clipboardBytes(text) else { return false }
        write(bytes)
        return true
    }

    /// The bytes that put a text on the clipboard (OSC 52); `nil` if it is too long.
    ///
    /// An empty text empties the clipboard.
    public static func clipboardBytes(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= longestCopy else { return nil }
        return Array("\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{07}".utf8)
    }

    public func setTitle(_ title: String) {
        guard isDrawing else { return }
        write(Array("\u{1B}]2;\(DisplayWidth.singleLine(title))\u{07}".utf8))
    }

    public func ring() { if isDrawing { write([7]) } }

    /// Asks for the background colour; the answer comes as an event, or never.
    ///
    /// Nothing waits for it. Consoles that would print the question are not asked.
    public func askBackground() {
        ask("\u{1B}]11;?\u{07}")
    }

    /// Asks for a picture of one pixel by the protocol of kitty, for the pixels of a cell, and for the
    /// attributes, which every terminal has.
    public func askPictures() {
        ask("\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[16t\u{1B}[c")
    }

    private func ask(_ question: String) {
        guard isDrawing, Terminal.environment("TERM")?.hasPrefix("linux") == false else { return }
        questionTime = .now
        write(Array(question.utf8))
    }

    /// Waits a moment for an answer that may be under way: one that comes after the end would be
    /// typed into the shell.
    func swallowAnswers() {
        guard let questionTime, ContinuousClock.now - questionTime < .seconds(1) else { return }
        self.questionTime = nil
        guard inputIsReady(milliseconds: 50) else { return }
        tcflush(STDIN_FILENO, TCIFLUSH)
    }
}

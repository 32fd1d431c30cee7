import Foundation
import Testing
import VirtualTerminal

/// The end of the interface while a password is on the clipboard.
@Suite struct VaultClipboardTests {
    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, 0])
    func clipboardIsEmptiedWhenTheInterfaceEnds(_ signal: Int32) throws {
        let docket = try Docket()
        try docket.makeVault()
        try docket.write("CanaryCopy\n", to: "p1")
        try docket.vault("add", "Bank", "--password-file", docket.path("p1"))
        let terminal = try docket.terminal()
        try terminal.wait(forText: "Press Space to mark this task")
        try terminal.type("gv")
        try terminal.wait(forText: "Unlock the vault")
        try terminal.type(Docket.passphrase + "\r")
        try terminal.wait(forText: "Bank")
        try terminal.type("y")
        try terminal.wait(forText: "to the clipboard")
        if signal == 0 { try terminal.type("q") } else { terminal.signal(signal) }
        #expect(try terminal.waitForEnd() == (signal == 0 ? 0 : Int(128 + signal)))
        let written = String(decoding: terminal.output, as: UTF8.self)
        let encoded = Data("CanaryCopy".utf8).base64EncodedString()
        let copy = try #require(written.range(of: "\u{1B}]52;c;\(encoded)\u{7}"))
        #expect(written[copy.upperBound...].contains("\u{1B}]52;c;\u{7}"))
        #expect(written.components(separatedBy: "\u{1B}]52;c;").count == 3, "copied, then emptied")
    }
}

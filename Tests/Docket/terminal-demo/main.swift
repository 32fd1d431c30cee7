import Glibc
import NcursesTerminal
import TerminalUI

/// A small program on the terminal layer, for its tests: shows what came, and does on demand what a
/// terminal program must survive.

var options = TerminalOptions()
options.synchronizesFrames = !CommandLine.arguments.contains("--no-synchronizing")
do {
    let terminal = try Terminal(options)
    var demo = Demo(terminal: terminal)
    let status = demo.run()
    terminal.close()
    exit(status)
} catch {
    complain("terminal-demo: \(error)\n")
    exit(2)
}

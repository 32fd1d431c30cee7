import CTerminal
import Glibc

extension Terminal {
    /// Starts drawing: sets the modes, holds standard error, arms crash handlers, reads the size.
    func enter() {
        guard !isDrawing else { return }
        isDrawing = true
        reset_prog_mode()
        cterminal_hold_errors()
        arm()
        if measure() { sizeIsNews = true }
        forgetScreen()
    }

    /// Stops drawing: restores the terminal, and prints the held standard error.
    func leave() {
        guard isDrawing else { return }
        isDrawing = false
        write(picturesGone(except: []))
        turnReports(on: false)
        endwin()
        cterminal_disarm()
        cterminal_restore_modes()
        cterminal_release_errors()
    }

    /// Forgets the content of the screen: the next frame is sent completely.
    func forgetScreen() {
        shown = nil
        cursorIsVisible = nil
    }

    /// Turns our reports on after the alternate screen shows, and off before it is left: terminals
    /// keep the state of the keyboard for each screen.
    func turnReports(on: Bool) {
        guard on != reportsAreOn else { return }
        reportsAreOn = on
        write(on ? modes.on : modes.off)
    }

    private func arm() {
        let bytes = modes.restoring()
        bytes.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                if let start = bytes.baseAddress { cterminal_arm(start, bytes.count) }
            }
        }
    }

    func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                if let start = bytes.baseAddress { cterminal_write(start, bytes.count) }
            }
        }
    }

    /// Stops the program and its whole job, as ctrl-z does elsewhere, and returns when it
    /// continues.
    ///
    /// Without a shell with job control it returns at once.
    public func suspend() {
        guard isDrawing else { return }
        leave()
        cterminal_signal_default(SIGTSTP)
        kill(0, SIGTSTP)
        cterminal_signal_catch(SIGTSTP)
        enter()
        // Our own SIGCONT is not an event.
        pendingSignals += readSignals().filter { $0 != SIGCONT && $0 != SIGTSTP }
    }

    public func run(_ arguments: [String]) throws -> Int32 {
        leave()
        defer {
            enter()
            pendingSignals += readSignals().filter { $0 != SIGCONT && $0 != SIGTSTP }
        }
        return try ForegroundProgram.run(arguments)
    }

    /// Turns the reports of the mouse on or off.
    public func reportMouse(_ isOn: Bool) {
        guard options.usesMouse != isOn else { return }
        let wereOn = reportsAreOn
        if wereOn { turnReports(on: false) }
        options.usesMouse = isOn
        modes = Modes(options: options, name: Terminal.environment("TERM") ?? "")
        if wereOn { turnReports(on: true) }
        if isDrawing { arm() }
    }

    public func close() {
        guard isDrawing else { return }
        swallowAnswers()
        leave()
        cterminal_signals_remove()
    }
}

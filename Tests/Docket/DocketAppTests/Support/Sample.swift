import DocketCore
import LibraryVerbs
import ObjectGraph

/// Stores to begin with.
enum Sample {
    static func empty(_ library: Library) throws {}

    /// A small household.
    static func home(_ library: Library) throws {
        _ = try library.addTask(
            capturing: "Pay rent tomorrow 9:00 +Home #bank !med every month\n"
                + "Account is the **new** one.\n- [x] tell Ana\n- [ ] standing order?"
        )
        let garden = try library.addTask(capturing: "Plan the garden +Home/Garden #out")
        var defaults = ItemDefaults()
        defaults.parent = garden
        for line in ["order seeds fri #out", "measure the beds", "draw a plan"] {
            let captured = try CaptureParser(context: library.clock()).capture(line)
            _ = try library.addTask(captured, defaults)
        }
        let beds = try library.items(
            matching: Condition { $0.title.beginsWith("meas") }
        )
        try library.complete(beds)
        let note = try library.addNote(capturing: "Soil test results +Home/Garden")
        try library.setText("# Soil\n\npH is 6.5, *ask Ana* about lime.", of: note)
        _ = try library.addTask(capturing: "Call the Ämter yesterday +Work !!!")
        _ = try library.addTask(capturing: "Read a book")
    }

    /// Many tasks without anything else, in one step.
    static func many(_ count: Int) -> (Library) throws -> Void {
        { library in
            for number in 1...count {
                _ = try library.addTask(capturing: "Task number \(number)")
            }
        }
    }
}

/// The characters of rows and bars, besides those of frames: Unicode, or ASCII.
package struct Signs: Hashable, Sendable {
    /// Of an open task, by priority: none, low, medium, high.
    var priorities: [String]
    var done: String
    var blocked: String
    var note: String
    var folded: String
    var unfolded: String
    var flag: String
    var separator: String
    var crumb: String
    var bullet: String
    var boxOpen: String
    var boxDone: String
    var quote: String
    var tag: String
    var backlink: String

    package static let unicode = Signs(
        priorities: ["○", "◔", "◑", "●"],
        done: "✓",
        blocked: "⊘",
        note: "✎",
        folded: "▸",
        unfolded: "▾",
        flag: "⚑",
        separator: "·",
        crumb: "›",
        bullet: "•",
        boxOpen: "☐",
        boxDone: "☑",
        quote: "▏",
        tag: "#",
        backlink: "←"
    )

    package static let ascii = Signs(
        priorities: ["o", "-", "=", "#"],
        done: "x",
        blocked: "%",
        note: "\"",
        folded: ">",
        unfolded: "v",
        flag: "*",
        separator: "-",
        crumb: ">",
        bullet: "*",
        boxOpen: "[ ]",
        boxDone: "[x]",
        quote: "|",
        tag: "#",
        backlink: "<-"
    )
}

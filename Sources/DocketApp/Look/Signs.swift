/// The characters of rows and bars, besides those of frames: Unicode, or ASCII.
package struct Signs: Hashable, Sendable {
    var open: String
    var done: String
    var started: String
    var blocked: String
    var note: String
    var folded: String
    var unfolded: String
    var flag: String
    var undo: String
    var saved: String
    var separator: String
    var crumb: String
    var bullet: String
    var boxOpen: String
    var boxDone: String
    var quote: String
    var tag: String
    var backlink: String

    package static let unicode = Signs(
        open: "○",
        done: "✓",
        started: "◐",
        blocked: "⊘",
        note: "✎",
        folded: "▸",
        unfolded: "▾",
        flag: "⚑",
        undo: "↶",
        saved: "●",
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
        open: "o",
        done: "x",
        started: "%",
        blocked: "-",
        note: "=",
        folded: ">",
        unfolded: "v",
        flag: "*",
        undo: "<",
        saved: "*",
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

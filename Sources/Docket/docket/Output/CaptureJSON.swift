import CivilTime
import DocketCore
import DocketFormats

/// What a text means, as one JSON object.
///
/// | member | value |
/// |---|---|
/// | `text`, `title` | what was read, and what the title is |
/// | `due`, `start`, `end` | `2026-11-24` or local time `2026-11-24T09:15`, or `null` |
/// | `estimate`, `reminder` | seconds, the latter before it is due, or `null` |
/// | `every` | the words of the repetition, or `null` |
/// | `list` | the list's path, or `null` |
/// | `tags`, `priority` | names; 0 none, 1 low, 2 medium, 3 high |
/// | `location` | its name, or `null` |
/// | `waits`, `blocks` | the numbers of tasks |
/// | `spans` | parts of `text` that have a meaning: `from` and `to` in bytes of UTF-8, and `kind` |
/// | `problems` | sentences about what is impossible, ambiguous or not understood |
enum CaptureJSON {
    static func value(_ item: CapturedItem, _ context: DateContext) -> JSONValue {
        let format = DateFormat(context: context)
        func date(_ due: DueDate?) -> JSONValue { due.map { .string(format.plain($0)) } ?? .null }
        func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
        return .object([
            JSONMember("text", .string(item.text)),
            JSONMember("title", .string(item.title)),
            JSONMember("due", date(item.due)),
            JSONMember("start", date(item.start)),
            JSONMember("end", date(item.end)),
            JSONMember("estimate", item.estimate.map { .number("\($0 * 60)") } ?? .null),
            JSONMember("reminder", item.reminder.map { .number("\($0 * 60)") } ?? .null),
            JSONMember("every", text(item.recurrence)),
            JSONMember("list", text(item.list.isEmpty ? nil : ListPath.string(item.list))),
            JSONMember("tags", .array(item.tags.map { .string($0) })),
            JSONMember("priority", .number("\(item.priority)")),
            JSONMember("location", text(item.location)),
            JSONMember("waits", .array(item.waits.map { .number("\($0)") })),
            JSONMember("blocks", .array(item.blocks.map { .number("\($0)") })),
            JSONMember("spans", .array(item.tokens.map(span))),
            JSONMember("problems", .array(item.remarks.map { .string($0) })),
        ])
    }

    private static func span(_ token: CapturedItem.Token) -> JSONValue {
        .object([
            JSONMember("from", .number("\(token.range.lowerBound)")),
            JSONMember("to", .number("\(token.range.upperBound)")),
            JSONMember("kind", .string(name(of: token.kind))),
        ])
    }

    private static func name(of kind: CapturedItem.TokenKind) -> String {
        switch kind {
        case .list: "list"
        case .tag: "tag"
        case .location: "place"
        case .priority: "priority"
        case .due: "due"
        case .start: "start"
        case .recurrence: "every"
        case .estimate: "estimate"
        case .reminder: "reminder"
        case .waits: "waits"
        case .blocks: "blocks"
        case .escape: "escape"
        case .impossibleDate: "problem"
        }
    }
}

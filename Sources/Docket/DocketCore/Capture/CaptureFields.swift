import CivilTime
import DocketFormats
import TimeLanguage

/// Values of a new item that are said beside its text, as texts: options of a command.
public struct CaptureFields: Hashable, Sendable {
    public var due: String?
    public var start: String?
    public var priority: String?
    public var list: String?
    public var tags: [String] = []
    public var every: String?
    public var notes: String?

    public init() {}

    /// Replaces what the text said by what was said beside it; tags are added.
    ///
    /// - Throws: `InputError` for a value that cannot be read.
    func apply(to item: inout CapturedItem, _ context: DateContext) throws(InputError) {
        let dates = DateParser(context: context)
        if let start { item.start = try dates.parse(start) }
        if let due { (item.due, item.end) = (try dates.parse(due, from: item.start), nil) }
        if let every { try apply(every, to: &item, context) }
        if let priority { item.priority = Int(try Library.priority(priority)) }
        if let list { item.list = ListPath.parse(list) }
        for tag in tags {
            let name = CaptureText.cleanLine(tag.hasPrefix("#") ? String(tag.dropFirst()) : tag)
            if !name.isEmpty, !item.tags.contains(name) { item.tags.append(name) }
        }
        if let notes { item.notes = CaptureText.cleanText(notes) }
    }

    private func apply(
        _ every: String,
        to item: inout CapturedItem,
        _ context: DateContext
    ) throws(InputError) {
        let text = TaskSeries.clean(every).trimmingSpace
        try TaskSeries.check(text, due: item.due, in: context)
        guard let repetition = TaskSeries(text, in: context)?.repetition else { return }
        (item.recurrence, item.repetition) = (text, repetition)
        guard item.due == nil else { return }
        if let start = item.start {
            item.start = repetition.first(onOrAfter: start, in: context) ?? start
        } else {
            item.due = repetition.firstDueDate(in: context)
        }
    }
}

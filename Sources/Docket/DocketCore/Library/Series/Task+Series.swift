public import CivilTime
public import DocketFormats
import TimeLanguage

extension Task {
    /// How many occurrences of a fixed series have passed since the due date of this one, which is
    /// open, counted up to a limit.
    public func missed(in context: DateContext, atMost limit: Int = .max) -> Int {
        guard completed == nil, trashed == nil else { return 0 }
        return taskSeries(in: context)?.missed(after: repeatedDate, in: context, atMost: limit) ?? 0
    }

    /// How the task repeats; `nil` if it does not, or by a text that is not understood.
    public func taskSeries(in context: DateContext) -> TaskSeries? {
        rule.flatMap { TaskSeries($0, isFromCompletion: anchor == 1, in: context) }
    }

    /// The rule as people read it; words that are not understood are shown as they are.
    public func ruleInWords(in context: DateContext) -> String? {
        rule.map { text in
            guard let series = taskSeries(in: context) else { return text }
            return Language.current == .english
                ? series.words : series.repetition.words(.current)
        }
    }
}

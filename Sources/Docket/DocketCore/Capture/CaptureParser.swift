public import CivilTime
public import DocketFormats

/// Reads quick capture: `Pay rent tomorrow 9am +Home #bank !high @Bank every month`.
///
/// The first line that is not blank becomes the title, without the recognised parts; further lines
/// become notes, unchanged. The rules for the title's line:
///
/// - A marker counts only at the beginning of a word, and only if a name follows directly: a
///   letter, an emoji, `_`, or a name in double quotes (`+"Big project"`), in which `\"` and `\\`
///   mean `"` and `\`. So `#1`, `C#`, `a+b`, `+1`, `x@y.z`, `https://a/#b` and `(#a)` are text.
///   Punctuation at the end of a name without quotes does not belong to it.
/// - `#tag`, any number of them. `+List/Sublist`, each part with or without quotes; `@Place`. An
///   item has one list and one place: the first counts, later ones stay in the title, with a
///   remark. `@a@b.c` is text.
/// - `!`, `!!`, `!!!` as separate words, `!1` `!2` `!3`, `!low` `!med` `!medium` `!high`; the first
///   counts.
/// - The first date (see ``DateParser``) is the due date, also after `due`, `by`, `on` or `until`; a
///   date after `from`, `starting` or `start` is the start date; `fri 14-16` is both. `due:` and
///   `start:` with a date in one word or in quotes do the same. Later dates stay in the title.
///   What may be a name stays text, and what is understood only in part is left and reported: the
///   rules are those of ``Recogniser``.
/// - `for 45 min` is the estimate.
/// - `every …`, and `daily`, `weekly` and similar words at the end, are the repetition. Without a
///   due date its first occurrence is due.
/// - A backslash at the beginning of a word makes the word plain text and is removed: `\#1st`,
///   `\tomorrow`, `\\server` for `\server`. Elsewhere a backslash is text.
/// - Complexity: O(length of the text).
public struct CaptureParser: Sendable {
    public let context: DateContext

    public init(context: DateContext) {
        self.context = context
    }

    /// Reads the text of a new item.
    ///
    /// - Throws: ``InputError`` of kind `emptyTitle` if nothing is left for a title, `tooMuch` for
    ///   more tags or list levels than ``Limits`` allow.
    public func capture(_ text: String) throws(InputError) -> CapturedItem {
        try checked(read(text))
    }

    /// Takes a text as it is: the first line that is not blank is the title, further lines are notes.
    ///
    /// - Throws: ``InputError`` of kind `emptyTitle` if there is no such line.
    public func plain(_ text: String) throws(InputError) -> CapturedItem {
        let clean = CaptureText.clean(Array(text.utf8))
        var item = CapturedItem()
        item.text = String(decoding: clean, as: UTF8.self)
        var start = 0
        while start < clean.count, item.title.isEmpty {
            let end = clean[start...].firstIndex(of: 10) ?? clean.count
            let line = PhraseWords(Array(clean[start..<end]))
            item.title = line.ranges.map(line.string).joined(separator: " ")
            item.notes = CaptureText.notes(clean[min(end + 1, clean.count)...])
            start = end + 1
        }
        return try checked(item)
    }

    private func checked(_ item: CapturedItem) throws(InputError) -> CapturedItem {
        guard !item.title.isEmpty else {
            throw InputError(
                .emptyTitle,
                item.tokens.isEmpty
                    ? "An item needs a title; write some words."
                    : "An item needs a title; write some words besides dates and marks, "
                        + "or put a backslash before a word that is meant as text."
            )
        }
        try Limits.check(tags: item.tags.count)
        try Limits.check(listLevels: item.list.count)
        return item
    }

    /// Reads text that may be unfinished, to show it during typing; the title may be empty.
    public func read(_ text: String) -> CapturedItem {
        read(Array(text.utf8))
    }

    public func read(_ bytes: [UInt8]) -> CapturedItem {
        let clean = CaptureText.clean(bytes)
        var item = CapturedItem()
        item.text = String(decoding: clean, as: UTF8.self)

        var start = 0
        while start < clean.count {
            let end = clean[start...].firstIndex(of: 10) ?? clean.count
            let line = PhraseWords(Array(clean[start..<end]))
            if line.count > 0 {
                var reader = CaptureLine(words: line, context: context)
                reader.read(into: &item)
                for index in item.tokens.indices {
                    let range = item.tokens[index].range
                    item.tokens[index].range =
                        range.lowerBound + start..<range.upperBound + start
                }
                item.notes = CaptureText.notes(clean[min(end + 1, clean.count)...])
                break
            }
            start = end + 1
        }
        return item
    }
}

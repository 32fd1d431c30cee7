import CivilTime
import FoundationEssentials
import TimeLanguage

/// Reads titles and fields on Tue 24 Nov 2026, 10:00 (UTC).
struct Reading {
    var now = "2026-11-24T10:00"
    var settings = TimeSettings()
    var zone = ZoneRules.utc
    var weekStart = Weekday.monday

    private var context: DateContext {
        let date = ISODate.moment(now.count > 10 ? now : "\(now)T00:00", zone: zone)
        return DateContext(
            now: date ?? Date(timeIntervalSince1970: 0),
            zone: zone,
            weekStart: weekStart
        )
    }

    private var recogniser: Recogniser { Recogniser(context: context, settings: settings) }

    func title(_ text: String) -> Recognition { recogniser.title(text) }

    func plain(_ due: DueDate?) -> String {
        due.map { DateFormat(context: context).plain($0) } ?? ""
    }

    /// The due date of a title; empty without one.
    func due(_ text: String) -> String { plain(title(text).due) }

    /// The date of a field, or why it is none.
    func field(_ text: String) -> String {
        do throws(FieldProblem) {
            return plain(try recogniser.field(text))
        } catch {
            switch error {
            case .impossible(let words, let why): return "\(words): \(why)"
            case .unknown: return "?"
            }
        }
    }

    /// What a time covers: a day, `FIRST…LAST`, or a moment.
    func span(_ text: String, looksBack: Bool) -> String {
        do throws(FieldProblem) {
            switch try recogniser.span(text, looksBack: looksBack) {
            case .days(let first, let end):
                let ends = [first, end.adding(days: -1)].map { plain(DueDate(day: $0)) }
                return ends[0] == ends[1] ? ends[0] : "\(ends[0])…\(ends[1])"
            case .moment(let moment): return plain(DueDate(moment: moment))
            }
        } catch { return "?" }
    }

    /// What is left of a title, with single spaces.
    func rest(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var left: [UInt8] = []
        var at = 0
        for span in title(text).spans where span.kind != .problem {
            left += bytes[at..<span.range.lowerBound]
            at = span.range.upperBound
        }
        left += bytes[at...]
        return String(decoding: left, as: UTF8.self).split(separator: " ").joined(separator: " ")
    }
}

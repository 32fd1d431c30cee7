import CivilTime
import DocketCore

extension DateFormat {
    /// The day for the title line: `Sat 21 Nov`.
    var today: String {
        let day = context.today
        let parts = day.parts
        return "\(day.weekday.shortName) \(parts.day) \(Day.shortName(ofMonth: parts.month))"
    }
}

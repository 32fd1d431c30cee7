import CivilTime
import DocketCore

extension DateFormat {
    /// The day for the title line: `Sat 21 Nov`.
    var today: String {
        let day = context.today
        return "\(day.weekday.shortName) \(day.shortText)"
    }
}

import CivilTime
import DocketCore
import FoundationEssentials

extension DateFormat {
    /// A past moment for a narrow column: `14:02` today, `Sat` within the last six days, `12 Nov`,
    /// `Nov 2024`.
    func moment(_ date: Date) -> String {
        let day = context.zone.day(of: date)
        let parts = day.parts
        let days = context.today.number - day.number
        switch days {
        case 0: return DateFormat.clock(context.zone.local(date).second)
        case 1...6: return day.weekday.shortName
        default:
            let month = Day.shortName(ofMonth: parts.month)
            return parts.year == context.today.parts.year
                ? day.shortText : "\(month) \(parts.year)"
        }
    }
}

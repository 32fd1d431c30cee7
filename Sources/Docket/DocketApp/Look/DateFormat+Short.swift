import CivilTime
import DocketCore

extension DateFormat {
    /// How late an overdue date is: `yesterday`, `3d late`, `6w late`; `9:00` of today.
    func late(_ due: DueDate) -> String {
        let days = context.today.number - due.day(in: context.zone).number
        switch days {
        case ...0: return shortest(due).filter { $0 != "!" }
        case 1: return relative(due)
        default: return localized("\(shortest(due).filter { $0 != "!" }) late")
        }
    }

    /// The shortest form of a date that is clear in a list: `18:30` or `today`, `Fri` within the next
    /// six days, then `12d`, `27w`, `3y`; of one that is overdue `!9:00`, `!2d`, `!6w`, `!3y`.
    func shortest(_ due: DueDate) -> String {
        let days = due.day(in: context.zone).number - context.today.number
        let sign = due.isOverdue(in: context) ? "!" : ""
        switch abs(days) {
        case 0:
            if due.isDateOnly { return relative(due) }
            // The words for today end with the time.
            return sign + (relative(due).split(separator: " ").last.map(String.init) ?? "")
        case 1...6 where days > 0: return due.day(in: context.zone).weekday.shortName
        case ..<100: return sign + localized("\(abs(days))d")
        case ..<730: return sign + localized("\(abs(days) / 7)w")
        default: return sign + localized("\(abs(days) / 365)y")
        }
    }
}

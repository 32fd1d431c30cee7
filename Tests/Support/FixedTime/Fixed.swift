package import CivilTime
import FoundationEssentials

/// Sat 21 Nov 2026, 14:05 in Berlin: the moment at which most tests take place.
package enum Fixed {
    package static let berlin = zone("Europe/Berlin", fallback: "CET-1CEST,M3.5.0,M10.5.0/3")
    package static let newYork = zone("America/New_York", fallback: "EST5EDT,M3.2.0,M11.1.0")

    package static func zone(_ name: String, fallback: String) -> ZoneRules {
        ZoneRules.named(name) ?? ZoneRules.named(fallback) ?? .utc
    }

    package static var context: DateContext { context(2026, 11, 21, 14, 5) }

    package static func context(
        _ year: Int,
        _ month: Int,
        _ day: Int,
        _ hour: Int = 12,
        _ minute: Int = 0,
        zone: ZoneRules = berlin
    ) -> DateContext {
        let day = Day(year: year, month: month, day: day) ?? Day.first
        return DateContext(
            now: zone.moment(day, second: hour * 3600 + minute * 60),
            zone: zone
        )
    }
}

extension Fixed {
    /// A date as a field shows it in Berlin.
    package static func plain(_ due: DueDate) -> String { DateFormat(context: context).plain(due) }
}

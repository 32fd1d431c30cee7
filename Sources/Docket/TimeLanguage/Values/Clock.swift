/// A time as a clock shows it; which half of the day is meant may be open.
struct Clock: Hashable {
    enum Half: Hashable {
        case morning
        case afternoon
    }

    var hour: Int
    var minute = 0
    var second = 0
    var half: Half?
    /// Whether the hour counts from midnight, as in `03:30`, `17h30`, `0:15`.
    var has24Hours = false
    /// Whether it is only a number, which is a time only beside words that say so.
    var isBare = false
    /// Whether minutes were written, `00` too.
    var hasMinutes = false
    /// The part of the day of which another word makes one think: `dinner at 7`.
    var leaning: DayPart?

    /// Why no clock shows this time, as part of a sentence.
    var problem: String? {
        if half != nil, !(1...12).contains(hour) {
            // `15:00 pm` says the same twice.
            if half == .afternoon, (13...23).contains(hour), minute < 60, second < 60 {
                return minute == 0 && !has24Hours
                    ? "with am or pm the hour goes from 1 to 12" : nil
            }
            return "with am or pm the hour goes from 1 to 12"
        }
        let isEnd = hour == 24 && minute == 0 && second == 0
        let exists = hour >= 0 && (hour < 24 || isEnd) && minute < 60 && second < 60
        return exists ? nil : "a clock goes from 0:00 to 23:59"
    }

    /// Seconds after midnight of the day that is meant; 86,400 and more are in the day after.
    ///
    /// Without other words an hour from 1 to 6 is in the afternoon, since nobody plans for the
    /// night, and one from 7 to 12 is in the first half of the day; beside `dinner` one up to 9 is in the
    /// evening, beside `breakfast` 5 and 6 are in the morning. `has24Hours`, or a zero before the hour,
    /// says otherwise.
    func seconds(_ part: DayPart?) -> Int {
        let rest = minute * 60 + second
        return hours(part) * 3600 + rest
    }

    private func hours(_ part: DayPart?) -> Int {
        if let half {
            return hour > 12 ? hour : hour % 12 + (half == .afternoon ? 12 : 0)
        }
        // `tonight at midnight` is the end of this day.
        if hour == 0, part == .night || part == .evening { return 24 }
        if hour > 12 || hour == 0 { return hour }
        switch part {
        case .morning: return has24Hours ? hour : hour % 12
        case .noon: return hour < 6 ? hour + 12 : hour
        case .afternoon: return hour % 12 + 12
        case .evening: return hour == 12 ? 24 : hour + 12
        case .night:
            if hour == 12 { return 24 }
            return hour < 5 ? hour + 24 : hour + 12
        case nil:
            return !has24Hours && hour < firstMorningHour ? hour + 12 : hour
        }
    }

    private var firstMorningHour: Int {
        switch leaning {
        case .morning: 5
        case .evening: 10
        default: 7
        }
    }

    /// The time some minutes later or earlier; the hour keeps what is open about it.
    func adding(minutes: Int) -> Clock {
        var result = self
        let total = hour * 60 + minute + minutes
        let wrapped = ((total % 1440) + 1440) % 1440
        (result.hour, result.minute) = (wrapped / 60, wrapped % 60)
        if let half {
            // Counted within the whole day, then open no more.
            let exact = ((seconds(nil) / 60 + minutes) % 1440 + 1440) % 1440
            (result.hour, result.minute) = (exact / 60, exact % 60)
            (result.half, result.has24Hours) = (nil, true)
            _ = half
        } else if hour >= 1, hour <= 12, !has24Hours, result.hour == 0 {
            result.hour = 12
        }
        return result
    }
}

import DocketFormats
public import FoundationEssentials

/// How far undo must reach back.
///
/// Older history may be deleted; without a limit nothing is deleted. With several limits, the steps
/// within all of them are kept.
public struct HistoryPolicy: Sendable, Equatable {
    /// The age of the oldest step, in days.
    public var days: Int?
    /// How many steps.
    public var steps: Int?
    /// The number of bytes of the old and new values of all changes.
    public var bytes: Int?

    public init(days: Int? = nil, steps: Int? = nil, bytes: Int? = nil) {
        self.days = days
        self.steps = steps
        self.bytes = bytes
    }

    public var isUnlimited: Bool { days == nil && steps == nil && bytes == nil }

    /// The days of `90 days`, `12 weeks`, `6 months`, `2 years`, also in short as `90d`.
    ///
    /// - Returns: `nil` for any other text.
    public static func days(_ text: String) -> Int? {
        let units = [
            "d": 1, "day": 1, "days": 1, "w": 7, "week": 7, "weeks": 7, "m": 30, "month": 30,
            "months": 30, "y": 365, "year": 365, "years": 365,
        ]
        return amount(text, units)
    }

    /// The bytes of `500 KB`, `20 MB`, `1 GB`.
    ///
    /// - Returns: `nil` for any other text.
    public static func bytes(_ text: String) -> Int? {
        amount(text, ["b": 1, "kb": 1 << 10, "mb": 1 << 20, "gb": 1 << 30])
    }

    private static func amount(_ text: String, _ units: [String: Int]) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).lowercased().filter { $0 != " " }
        guard let number = Int(digits), let factor = units[unit] else { return nil }
        let product = number.multipliedReportingOverflow(by: factor)
        return product.overflow ? nil : product.partialValue
    }

    /// The part of another policy that this one would not keep, in words; `nil` if it keeps all.
    public func shortfall(of promise: HistoryPolicy) -> String? {
        func isLess(_ own: Int?, _ promised: Int?) -> Bool {
            own.map { own in promised.map { own < $0 } ?? true } ?? false
        }
        if promise.isUnlimited { return nil }
        if isLess(steps, promise.steps) { return promise.words }
        if isLess(days, promise.days) { return promise.words }
        return isLess(bytes, promise.bytes) ? promise.words : nil
    }

    /// `500 steps, 90 days`.
    public var words: String {
        var parts: [String] = []
        if let steps { parts.append("\(steps) step\(steps == 1 ? "" : "s")") }
        if let days { parts.append("\(days) day\(days == 1 ? "" : "s")") }
        if let bytes { parts.append(HistoryPolicy.size(bytes)) }
        return parts.joined(separator: ", ")
    }

    /// A number of bytes as people read it: `12 KB`, `3.4 MB`.
    public static func size(_ bytes: Int) -> String {
        if bytes < 1 << 20 { return "\((bytes + 1023) >> 10) KB" }
        let tenths = (bytes * 10 + (1 << 19)) >> 20
        return "\(tenths / 10).\(tenths % 10) MB"
    }
}

/// The result of trimming the history.
public struct TrimOutcome: Sendable, Equatable {
    /// The number of steps that cannot be undone any more.
    public var forgotten = 0
    /// The number of steps that undo reaches now.
    public var steps = 0
    public var oldest: Date?
    /// By how many bytes the store's file has become smaller.
    public var freed = 0
}

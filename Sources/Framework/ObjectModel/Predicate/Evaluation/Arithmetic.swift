import FoundationEssentials

/// `+ - * /` and modulus.
///
/// Integers stay integers, so dividing two cuts the fraction off; a result that does not fit 64
/// bits becomes floating point. One decimal makes the calculation decimal, one floating point
/// number makes it floating point. A division by zero is `nil`. A date and a number of seconds give
/// a date, two dates their distance in seconds.
///
/// These are also SQLite's rules, so that a predicate means the same there.
enum Arithmetic {
    static func result(
        _ function: BuiltInFunction,
        _ left: GraphValue,
        _ right: GraphValue
    ) throws -> GraphValue {
        switch (left, right) {
        case (.int(let a), .int(let b)): return whole(function, a, b)
        case (.date(let a), .date(let b)) where function == .subtract:
            return .double(a.timeIntervalSinceReferenceDate - b.timeIntervalSinceReferenceDate)
        case (.date(let date), _) where function == .add || function == .subtract:
            guard let seconds = right.doubleValue else { break }
            return .date(date.addingTimeInterval(function == .add ? seconds : -seconds))
        case (_, .date(let date)) where function == .add:
            guard let seconds = left.doubleValue else { break }
            return .date(date.addingTimeInterval(seconds))
        case (.double, _), (_, .double):
            guard let a = left.doubleValue, let b = right.doubleValue else { break }
            return floating(function, a, b)
        case (.decimal, _), (_, .decimal):
            guard let a = left.decimalValue, let b = right.decimalValue else { break }
            return decimal(function, a, b)
        default:
            guard let a = left.integerValue, let b = right.integerValue else { break }
            return whole(function, a, b)
        }
        throw ObjectGraphError(
            .cannotEvaluate,
            "The function \(function.rawValue) cannot take \(left.kindWithArticle) and a "
                + "\(right.kindName)."
        )
    }

    private static func whole(_ function: BuiltInFunction, _ a: Int64, _ b: Int64) -> GraphValue {
        let (result, overflow): (Int64, Bool)
        switch function {
        case .add: (result, overflow) = a.addingReportingOverflow(b)
        case .subtract: (result, overflow) = a.subtractingReportingOverflow(b)
        case .multiply: (result, overflow) = a.multipliedReportingOverflow(by: b)
        case .divide:
            if b == 0 { return .null }
            (result, overflow) = a.dividedReportingOverflow(by: b)
        default:
            if b == 0 { return .null }
            (result, overflow) = (b == -1 ? 0 : a % b, false)
        }
        return overflow ? floating(function, Double(a), Double(b)) : .int(result)
    }

    private static func floating(
        _ function: BuiltInFunction,
        _ a: Double,
        _ b: Double
    ) -> GraphValue {
        switch function {
        case .add: .floating(a + b)
        case .subtract: .floating(a - b)
        case .multiply: .floating(a * b)
        case .divide: b == 0 ? .null : .floating(a / b)
        default: b == 0 ? .null : .floating(a.truncatingRemainder(dividingBy: b))
        }
    }

    private static func decimal(
        _ function: BuiltInFunction,
        _ a: Decimal,
        _ b: Decimal
    ) -> GraphValue {
        switch function {
        case .add: return .decimal(a + b)
        case .subtract: return .decimal(a - b)
        case .multiply: return .decimal(a * b)
        case .divide: return b.isZero ? .null : .decimal(a / b)
        default:
            if b.isZero { return .null }
            let quotient = GraphValue.decimal(a / b)
            return .decimal(a - Decimal(quotient.truncatedInteger) * b)
        }
    }
}

/// The distance between two places, for `distance:to:`.
enum Geography {
    /// The mean radius of the earth in metres.
    private static let earthRadius = 6_371_008.8

    /// The difference of two numbers, or the metres along the great circle between two places:
    /// objects or dictionaries with `latitude` and `longitude` in degrees.
    static func distance(_ left: GraphValue, _ right: GraphValue) throws -> GraphValue {
        if let a = left.doubleValue, let b = right.doubleValue { return .floating(abs(a - b)) }
        guard let a = try place(left), let b = try place(right) else { return .null }
        let north = Elementary.sine((b.latitude - a.latitude) / 2)
        let east = Elementary.sine((b.longitude - a.longitude) / 2)
        let narrowing = Elementary.cosine(a.latitude) * Elementary.cosine(b.latitude)
        let chord = north * north + narrowing * east * east
        return .double(2 * earthRadius * Elementary.arcSine(min(1, chord.squareRoot())))
    }

    private static func place(
        _ value: GraphValue
    ) throws -> (latitude: Double, longitude: Double)? {
        switch value {
        case .object, .dictionary: break
        default:
            throw ObjectGraphError(
                .cannotEvaluate,
                "distance:to: needs numbers, or objects with latitude and longitude, "
                    + "not \(value.kindWithArticle)."
            )
        }
        guard let latitude = try value.value(forKey: "latitude").doubleValue,
            let longitude = try value.value(forKey: "longitude").doubleValue
        else { return nil }
        return (latitude * .pi / 180, longitude * .pi / 180)
    }
}

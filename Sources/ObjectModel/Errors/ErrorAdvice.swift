/// An error in words for people: a sentence that says what is wrong, and the next step.
///
/// One routine for every error that the framework throws, and a plain answer for those of others:
///
///     } catch {
///         let advice = ErrorAdvice(error)
///         show(advice.sentence, advice.nextStep)
///     }
///
/// Neither holds a private value. Several errors at once (code 1560) become one sentence that
/// counts them and names each.
public struct ErrorAdvice: Hashable, Sendable {
    /// What is wrong; ends with a full stop.
    public let sentence: String
    /// What to do now; never empty.
    public let nextStep: String

    public init(_ error: any Error) {
        guard let error = error as? ObjectGraphError else {
            sentence = Self.closed("Something outside the data failed: \(error)")
            nextStep = "Try again; if it happens again, report these words."
            return
        }
        let parts = error.code == .multipleErrors ? error.underlying.map { ErrorAdvice($0) } : []
        if parts.isEmpty {
            sentence = Self.closed(error.message)
            nextStep = error.recovery.isEmpty ? error.code.nextStep : Self.closed(error.recovery)
        } else {
            var steps: [String] = []
            for part in parts where !steps.contains(part.nextStep) { steps.append(part.nextStep) }
            sentence =
                "\(parts.count) things are wrong: " + parts.map(\.sentence).joined(separator: " ")
            nextStep = steps.joined(separator: " ")
        }
    }

    private static func closed(_ text: String) -> String {
        text.last.map { ".!?".contains($0) } ?? true ? text : text + "."
    }
}

extension ObjectGraphError.Code {
    /// What to do about an error that does not say so itself.
    fileprivate var nextStep: String {
        switch self {
        case .missingMandatory: "Fill in what is missing."
        case .tooFewObjects: "Add what is missing."
        case .tooManyObjects: "Remove what is too many."
        case .deleteDenied: "Remove what still depends on it first."
        case .numberTooLarge, .dateTooLate: "Give a smaller one."
        case .numberTooSmall, .dateTooSoon: "Give a larger one."
        case .stringTooLong: "Shorten the text."
        case .stringTooShort: "Write a longer text."
        case .mergeConflict: "Look at the other change, then save again or take your own back."
        case .constraintConflict, .constraintValidation: "Choose another value: this one is taken."
        case .invalidStoreType, .storeTypeMismatch, .damagedFile, .cannotOpen:
            "Check the path, or restore the file from a copy."
        case .incompatibleVersion, .incompatibleSchema:
            "Open it with the version that wrote it, or migrate it."
        case .timedOut: "Wait until the other program is done, then try again."
        case .saveFailed, .incompleteSave, .cannotWrite, .sqlite:
            "Check that the disk has room and may be written, then save again."
        case .historyExpired: "Read everything anew."
        case .cancelled: "Start again if that was not meant."
        case .referentialIntegrity: "It was deleted elsewhere: fetch again."
        case .invalidFormat, .invalidRequest, .cannotEvaluate, .undefinedKey, .wrongValueKind:
            "Correct what was asked for."
        case .invalidModel: "Correct the model."
        default: Self.validationCodes.contains(rawValue) ? "Correct the value." : "Try again."
        }
    }

    private static let validationCodes = 1550...1680
}

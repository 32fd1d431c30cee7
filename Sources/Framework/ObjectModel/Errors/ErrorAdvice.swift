/// An error in words for people: a sentence that says what is wrong, and the next step.
///
/// Works for every error that the framework throws, and gives a plain answer for other errors:
///
///     } catch {
///         let advice = ErrorAdvice(error)
///         show(advice.sentence, advice.nextStep)
///     }
///
/// Neither text holds a private value. For several errors at once (code 1560) the sentence has
/// their number and the message of each.
public struct ErrorAdvice: Hashable, Sendable {
    /// What is wrong; ends with a full stop.
    public let sentence: String
    /// What to do next; never empty.
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
                "\(parts.count) errors: " + parts.map(\.sentence).joined(separator: " ")
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
        case .tooManyObjects: "Remove some."
        case .deleteDenied: "First delete or move the objects that depend on it."
        case .numberTooLarge, .dateTooLate: "Give a smaller value."
        case .numberTooSmall, .dateTooSoon: "Give a larger value."
        case .stringTooLong: "Shorten the text."
        case .stringTooShort: "Write a longer text."
        case .mergeConflict: "Look at the other change, then save again or undo your own."
        case .constraintConflict, .constraintValidation: "Choose another value: this one is taken."
        case .invalidStoreType, .storeTypeMismatch, .damagedFile, .cannotOpen:
            "Check the path, or restore the file from a copy."
        case .incompatibleVersion, .incompatibleSchema:
            "Open the store with the version that wrote it, or migrate it."
        case .timedOut: "Wait until the other program has finished, then try again."
        case .saveFailed, .incompleteSave, .cannotWrite, .sqlite:
            "Check the free space and the permissions of the disk, then save again."
        case .serverUnreachable: "Check the network and whether the server runs, then try again."
        case .serverAccess: "Check user, password and permissions."
        case .storeClosed: "Open the store again."
        case .historyExpired: "Read all objects again."
        case .cancelled: "Start again if that was not meant."
        case .referentialIntegrity: "The object was deleted elsewhere: fetch again."
        case .invalidFormat, .invalidRequest, .cannotEvaluate, .undefinedKey, .wrongValueKind:
            "Correct the request."
        case .invalidModel: "Correct the model."
        default: Self.validationCodes.contains(rawValue) ? "Correct the value." : "Try again."
        }
    }

    private static let validationCodes = 1550...1680
}

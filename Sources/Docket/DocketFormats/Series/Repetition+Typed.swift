public import CivilTime
public import TimeLanguage

extension Repetition {
    /// Reads a text that is only a repetition.
    ///
    /// - Throws: ``InputError`` of kind `impossibleDate` or `unknownDate`.
    public init(typed text: String, in context: DateContext) throws(InputError) {
        do {
            self = try Recogniser(context: context).repetition(text)
        } catch {
            let shown = CaptureText.cleanLine(text)
            switch error {
            case .impossible(_, let why): throw .impossible(repetition: shown, why)
            case .unknown:
                throw InputError(
                    .unknownDate,
                    "“\(shown)” is not a repetition; write it like every 2 weeks on friday."
                )
            }
        }
    }
}

extension InputError {
    /// A repetition that is understood, but cannot be.
    public static func impossible(repetition words: String, _ why: String) -> InputError {
        InputError(.impossibleDate, "“\(words)” is not possible: \(why).")
    }
}

package import CivilTime
package import TimeLanguage

extension Repetition {
    /// Reads a text that is only a repetition.
    ///
    /// - Throws: ``InputError`` of kind `impossibleDate` or `unknownDate`.
    package init(typed text: String, in context: DateContext) throws(InputError) {
        do {
            self = try Recogniser(context: context).repetition(text)
        } catch {
            let shown = CaptureText.cleanLine(text)
            switch error {
            case .impossible(_, let why):
                throw InputError(.impossibleDate, "“\(shown)” is not possible: \(why).")
            case .unknown:
                throw InputError(
                    .unknownDate,
                    "“\(shown)” is not a repetition; write it like every 2 weeks on friday."
                )
            }
        }
    }
}

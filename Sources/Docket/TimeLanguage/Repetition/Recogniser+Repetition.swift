import CivilTime
import Recurrence

extension Recogniser {
    /// Reads a text that is only a repetition: `every 2 weeks on mon and wed until march`.
    ///
    /// - Throws: ``FieldProblem``.
    public func repetition(_ text: String) throws(FieldProblem) -> Repetition {
        guard text.utf8.count <= 1000 else { throw .unknown }
        let tokens = Tokens(text, settings.language.vocabulary)
        let resolver = Resolver(context: context)
        let grammar = Grammar(tokens, resolver, isField: true)
        guard let phrase = RepetitionReader.phrase(at: 0, in: grammar), phrase.hours == nil,
            FieldReader.isEnd(tokens, phrase.end)
        else { throw .unknown }
        switch phrase.meaning {
        case .repetition(let repetition): return repetition
        case .problem(let why): throw .impossible(text, why)
        }
    }
}

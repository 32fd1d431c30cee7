// Every text that a person reads is a phrase: whoever shows what this module has to say needs them.
@_exported public import Phrases

package import TerminalUI

/// In this module `Key` is a key of the keyboard; the key type of models has its full name.
package typealias Key = TerminalUI.Key

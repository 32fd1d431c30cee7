// Encrypted attributes come with the keys that they need.

@_exported public import Encryption

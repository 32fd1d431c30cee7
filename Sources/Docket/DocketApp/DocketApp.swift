// The module's first file follows.

// SwiftPM wants a source file in every C target.
#include "CMarkdown.h"

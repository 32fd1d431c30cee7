#include "CVirtualTerminal.h"

#include "CObjects.h"

#ifndef CTEXT_H
#define CTEXT_H

#include "CTextFind.h"
#include "CTextFold.h"
#include "CTextMatch.h"
#include "CTextOrder.h"
#include "CTextScan.h"

#endif

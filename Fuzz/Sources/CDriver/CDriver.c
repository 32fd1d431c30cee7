#include "CDriver.h"

#include <signal.h>

static char handler_stack[1 << 18];

void cdriver_prepare_stack(void)
{
    stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    sigaltstack(&stack, 0);
}

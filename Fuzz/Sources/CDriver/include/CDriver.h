#ifndef CDRIVER_H
#define CDRIVER_H

#include <stddef.h>
#include <stdint.h>

/// The loop of libFuzzer, which is part of the compiler's runtime.
int LLVMFuzzerRunDriver(int *count, char ***arguments,
                        int (*run)(const uint8_t *data, size_t count));

/// Gives signal handlers of this thread a stack of their own, so that the fuzzer can also report an
/// input that exhausts the stack.
void cdriver_prepare_stack(void);

#endif

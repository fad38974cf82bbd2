#ifndef MAREY_PROCESSOR_H
#define MAREY_PROCESSOR_H

/// The x86-64 micro-architecture level this program was compiled for: 1 (baseline), 3 (AVX2, FMA), 4 (AVX-512);
/// 0 on other architectures.
int marey_compiled_level(void);

/// Nonzero when this processor can run code compiled for `level`.
int marey_processor_supports(int level);

#endif

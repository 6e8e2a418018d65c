// Asks the processor for the memory at `address`, which will soon be read; of no other effect, whatever lies there.
// Swift has no name for it.
static inline void prefetch(const void *address) { __builtin_prefetch(address); }

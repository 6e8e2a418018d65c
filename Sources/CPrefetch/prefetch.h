// Prefetches the cache line at `address` for reading. Any address is allowed. Swift has no equivalent.
static inline void prefetch(const void *address) { __builtin_prefetch(address); }

#ifndef HABITAT_SIMDJSON_SHIM_H
#define HABITAT_SIMDJSON_SHIM_H
#ifdef __cplusplus
extern "C" {
#endif
int placeholder(void);
#ifdef __cplusplus
}
#endif
#endif

#include "simdjson_shim.h"
#include <simdjson.h>
extern "C" int placeholder(void){ return simdjson::SIMDJSON_PADDING; }

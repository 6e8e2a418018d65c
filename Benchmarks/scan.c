/* Reads the columns that a report needs from a store with plain SQLite, and counts events. It is the limit for reports that
   read all events.
   usage: scan STORE density|places|rhythm|days
   build: cc -O3 -o scan scan.c -lsqlite3 -lm */
#include <math.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int64_t first, second, third, east, north;
  int count, first_day, last_day, is_used;
} Entry;

static Entry *table;
static const size_t capacity = 1 << 21;
static int entries;

static Entry *find(int64_t first, int64_t second, int64_t third) {
  uint64_t hash = first * 0x9E3779B97F4A7C15u ^ second * 0xC2B2AE3D27D4EB4Fu ^ third * 0x165667B19E3779F9u;
  size_t slot = (hash ^ hash >> 29) & (capacity - 1);
  while (table[slot].is_used && (table[slot].first != first || table[slot].second != second || table[slot].third != third))
    slot = (slot + 1) & (capacity - 1);
  if (!table[slot].is_used) {
    table[slot] = (Entry){first, second, third, 0, 0, 0, 1 << 30, 0, 1};
    entries++;
  }
  return table + slot;
}

/* The days since 1970-01-01 of YYYY-MM-DD (Howard Hinnant, "days_from_civil"). */
static int day_number(const unsigned char *text) {
  int year = (text[0] - '0') * 1000 + (text[1] - '0') * 100 + (text[2] - '0') * 10 + text[3] - '0';
  int month = (text[5] - '0') * 10 + text[6] - '0', day = (text[8] - '0') * 10 + text[9] - '0';
  year -= month <= 2;
  int era = year / 400, of_era = year - era * 400, of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static Entry *count_cell(sqlite3_stmt *row, double size, int64_t third) {
  const char *point = sqlite3_column_blob(row, 2);
  double x, y;
  memcpy(&x, point + 43, 8);
  memcpy(&y, point + 51, 8);
  Entry *cell = find(floor(x / size), floor(y / size), third);
  int day = day_number(sqlite3_column_text(row, 1));
  cell->count++;
  cell->east += floor(x * 1e9 + 0.5);
  cell->north += floor(y * 1e9 + 0.5);
  if (day < cell->first_day) cell->first_day = day;
  if (day > cell->last_day) cell->last_day = day;
  return cell;
}

int main(int count, char **arguments) {
  const char *job = count == 3 ? arguments[2] : "";
  const char *sql = !strcmp(job, "density")
    ? "SELECT user_id, day, geometry FROM event NOT INDEXED WHERE geometry IS NOT NULL"
    : !strcmp(job, "places")
    ? "SELECT habit_id, day, geometry FROM event NOT INDEXED WHERE outcome = 'done' AND geometry IS NOT NULL"
    : !strcmp(job, "rhythm")
    ? "SELECT day, occurred_at, utc_offset FROM event NOT INDEXED WHERE outcome = 'done'"
    : "SELECT habit_id, day FROM event INDEXED BY event_habit_day ORDER BY habit_id, day";
  sqlite3 *store;
  sqlite3_stmt *row;
  if (count != 3 || sqlite3_open_v2(arguments[1], &store, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK
      || sqlite3_prepare_v2(store, sql, -1, &row, NULL) != SQLITE_OK) return 1;
  table = calloc(capacity, sizeof(Entry));
  long rows = 0, hours[7][25] = {{0}};
  int64_t sum = 0;
  while (sqlite3_step(row) == SQLITE_ROW) {
    rows++;
    switch (job[0] + job[1]) {
      case 'd' + 'e': {
        int64_t user = sqlite3_column_int64(row, 0);
        Entry *cell = count_cell(row, 0.01, 0);
        find(cell - table, user, 1);
        break;
      }
      case 'p' + 'l': count_cell(row, 0.002, sqlite3_column_int64(row, 0)); break;
      case 'r' + 'h': {
        int day = day_number(sqlite3_column_text(row, 0)), hour = 24;
        if (sqlite3_column_type(row, 1) != SQLITE_NULL)
          hour = (sqlite3_column_int64(row, 1) / 60000000 + sqlite3_column_int64(row, 2)) / 60 % 24;
        hours[(day + 3) % 7][hour]++;
        break;
      }
      default: sum += sqlite3_column_int64(row, 0) ^ day_number(sqlite3_column_text(row, 1));
    }
  }
  printf("%ld rows, %d entries, %ld %ld\n", rows, entries, hours[0][8], (long)sum);
  return 0;
}

/* mutate.c - a small mutating fuzzer without coverage feedback, for machines without libFuzzer:
 * takes pieces of the seed files and of a list of markup, splices and damages them, and hands them
 * to target.c. With -f each input is written to a file first, so that a crash leaves it behind.
 *
 *   mutate [-s SECONDS] [-n RUNS] [-r | -x SEED] [-f FILE] FOLDER     -r: a seed from the clock
 *   mutate FILE...                                          runs saved inputs again
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_SEEDS = 4096, MAX_SIZE = 3000 };

static struct seed {
  uint8_t *data;
  size_t size;
} seeds[MAX_SEEDS];
static size_t seed_count;
static uint64_t state = 1;

static const char *const pieces[] = {"<",
                                     ">",
                                     "</",
                                     "/>",
                                     "<!",
                                     "<?",
                                     "&",
                                     "&#",
                                     "&#x",
                                     ";",
                                     "\"",
                                     "'",
                                     "=",
                                     "-",
                                     "--",
                                     "-->",
                                     "--!>",
                                     "<!--",
                                     "<![CDATA[",
                                     "]]>",
                                     "\r",
                                     "\n",
                                     "\r\n",
                                     "\t",
                                     "\f",
                                     " ",
                                     "\xEF\xBB\xBF",
                                     "\xE2\x82\xAC",
                                     "\xF0\x9F\x98\x80",
                                     "\xED\xA0\x80",
                                     "\xFF",
                                     "&amp;",
                                     "&notit;",
                                     "&lt",
                                     "&#0;",
                                     "&#x80;",
                                     "<!DOCTYPE html>",
                                     "<!DOCTYPE",
                                     " PUBLIC ",
                                     " SYSTEM ",
                                     "<a>",
                                     "</a>",
                                     "<b>",
                                     "</b>",
                                     "<i a=1>",
                                     "</i>",
                                     "<nobr>",
                                     "<p>",
                                     "</p>",
                                     "<div>",
                                     "</div>",
                                     "<span>",
                                     "</span>",
                                     "<table>",
                                     "</table>",
                                     "<tbody>",
                                     "<tr>",
                                     "</tr>",
                                     "<td>",
                                     "</td>",
                                     "<caption>",
                                     "<colgroup>",
                                     "<col>",
                                     "<select>",
                                     "</select>",
                                     "<option>",
                                     "</option>",
                                     "<optgroup>",
                                     "<hr>",
                                     "<input>",
                                     "<input type=hidden>",
                                     "<button>",
                                     "</button>",
                                     "<selectedcontent>",
                                     "<form>",
                                     "</form>",
                                     "<template>",
                                     "</template>",
                                     "<template for=m>",
                                     "<?marker name=\"m\">",
                                     "<?start name=\"m\">",
                                     "<?end>",
                                     "<template shadowrootmode=open>",
                                     "<svg>",
                                     "</svg>",
                                     "<foreignObject>",
                                     "<desc>",
                                     "<title>",
                                     "</title>",
                                     "<math>",
                                     "<mi>",
                                     "<annotation-xml encoding=text/html>",
                                     "</math>",
                                     "<script>",
                                     "</script>",
                                     "<style>",
                                     "</style>",
                                     "<textarea>",
                                     "</textarea>",
                                     "<noscript>",
                                     "</noscript>",
                                     "<plaintext>",
                                     "<xmp>",
                                     "<iframe>",
                                     "<noframes>",
                                     "<frameset>",
                                     "<frame>",
                                     "</frameset>",
                                     "<html>",
                                     "</html>",
                                     "<head>",
                                     "</head>",
                                     "<body>",
                                     "</body>",
                                     "<li>",
                                     "<ul>",
                                     "</ul>",
                                     "<dd>",
                                     "<dt>",
                                     "<h1>",
                                     "</h2>",
                                     "<br>",
                                     "</br>",
                                     "<image>",
                                     "<ruby>",
                                     "<rt>",
                                     "<rtc>",
                                     "<applet>",
                                     "<marquee>",
                                     "<object>",
                                     "<x-y z>",
                                     "<meta charset=koi8-r>",
                                     "<base href=x>",
                                     "<font color=x>"};
enum { PIECES = sizeof pieces / sizeof *pieces };

static uint64_t next(void) {
  uint64_t z = state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

static size_t below(size_t n) { return n ? (size_t)(next() % n) : 0; }

static int read_seed(const char *path, struct seed *seed) {
  FILE *file = fopen(path, "rb");
  if (!file) return 0;
  seed->data = malloc(1 << 20);
  seed->size = seed->data ? fread(seed->data, 1, 1 << 20, file) : 0;
  fclose(file);
  return seed->size > 0;
}

static void read_folder(const char *folder) {
  DIR *open = opendir(folder);
  struct dirent *entry;
  while (open && (entry = readdir(open)) != NULL && seed_count < MAX_SEEDS) {
    char path[1024];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (entry->d_name[0] == '.' || stat(path, &status) != 0 || !S_ISREG(status.st_mode)) continue;
    if (read_seed(path, &seeds[seed_count])) seed_count++;
  }
  if (open) closedir(open);
}

/* Inserts COUNT bytes of FROM at AT. */
static void insert(uint8_t *data, size_t *size, size_t at, const void *from, size_t count) {
  if (*size + count > MAX_SIZE) return;
  memmove(data + at + count, data + at, *size - at);
  memcpy(data + at, from, count);
  *size += count;
}

static size_t make(uint8_t *data) {
  size_t size = 0;
  for (int i = 0; i < 4; i++) data[size++] = (uint8_t)next();
  size_t steps = 1 + below(40);
  for (size_t i = 0; i < steps; i++) {
    size_t at = 4 + below(size - 3);
    switch (below(10)) {
    case 0: /* a stretch of a seed */
    case 1:
      if (seed_count) {
        const struct seed *seed = &seeds[below(seed_count)];
        size_t from = below(seed->size), count = 1 + below(60);
        insert(data, &size, at, seed->data + from,
               count < seed->size - from ? count : seed->size - from);
      }
      break;
    case 2: /* a byte */
      data[size] = (uint8_t)(below(3) ? below(128) : below(256));
      insert(data, &size, at, data + size, 1);
      break;
    case 3: /* cut out */
      if (size > 5) {
        size_t count = 1 + below(8);
        if (at + count > size) count = size - at;
        memmove(data + at, data + at + count, size - at - count);
        size -= count;
      }
      break;
    case 4: { /* repeat */
      uint8_t copy[64];
      size_t count = below(size - at < sizeof copy ? size - at + 1 : sizeof copy);
      memcpy(copy, data + at, count);
      for (size_t n = below(6); n > 0; n--) insert(data, &size, at, copy, count);
      break;
    }
    default: {
      const char *piece = pieces[below(PIECES)];
      insert(data, &size, below(2) ? size : at, piece, strlen(piece));
    }
    }
  }
  return size;
}

int main(int count, char **arguments) {
  double limit = 10;
  unsigned long long most = ~0ULL, runs = 0;
  const char *save = NULL;
  int files = 0;
  for (int i = 1; i < count; i++) {
    struct stat status;
    if (strcmp(arguments[i], "-s") == 0 && i + 1 < count) {
      limit = atof(arguments[++i]);
    } else if (strcmp(arguments[i], "-n") == 0 && i + 1 < count) {
      most = strtoull(arguments[++i], NULL, 10);
    } else if (strcmp(arguments[i], "-x") == 0 && i + 1 < count) {
      state = strtoull(arguments[++i], NULL, 10);
    } else if (strcmp(arguments[i], "-f") == 0 && i + 1 < count) {
      save = arguments[++i];
    } else if (strcmp(arguments[i], "-r") == 0) {
      state = (uint64_t)time(NULL);
    } else if (stat(arguments[i], &status) == 0 && S_ISDIR(status.st_mode)) {
      read_folder(arguments[i]);
    } else {
      struct seed seed;
      if (!read_seed(arguments[i], &seed)) {
        fprintf(stderr, "%s: cannot be read\n", arguments[i]);
        return 2;
      }
      LLVMFuzzerTestOneInput(seed.data, seed.size);
      free(seed.data);
      files++;
    }
  }
  if (files) {
    printf("fuzz: %d files\n", files);
    return 0;
  }
  if (seed_count == 0) fprintf(stderr, "fuzz: no seeds, only the built-in pieces\n");
  unsigned long long started_with = state;
  struct timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  double passed = 0;
  while (passed < limit && runs < most) {
    static uint8_t data[MAX_SIZE + 64];
    size_t size = make(data);
    FILE *file = save ? fopen(save, "wb") : NULL;
    if (file) {
      fwrite(data, 1, size, file);
      fclose(file);
    }
    uint8_t *exact = malloc(size);
    if (!exact) return 2;
    memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    runs++;
    clock_gettime(CLOCK_MONOTONIC, &now);
    passed = (double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) * 1e-9;
  }
  if (save) remove(save);
  for (size_t i = 0; i < seed_count; i++) free(seeds[i].data);
  printf("fuzz: %llu inputs in %.0f s, seed %llu, %zu seed files\n", runs, passed, started_with,
         seed_count);
  return 0;
}

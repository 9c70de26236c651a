/* An engine whose answers stand in answers.txt. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char key[1 << 18], line[1 << 19];

/* The answer to `key`; NULL where there is none. */
static char *find(void) {
  FILE *file = fopen("answers.txt", "r");
  char *found = NULL;
  size_t size = strlen(key);
  while (file && !found && fgets(line, sizeof line, file))
    if (!strncmp(line, key, size) && line[size] == '\t') found = line + size + 1;
  if (file) fclose(file);
  if (found) found[strcspn(found, "\n")] = 0;
  if (found && !strcmp(found, "!")) raise(SIGSEGV);
  return found;
}

long encode_c(const char *text, size_t size, int add_special, int parse_special, int *ids, size_t most) {
  char *to = key + sprintf(key, "e ");
  for (size_t i = 0; i < size; i++) to += sprintf(to, "%02x", (unsigned char)text[i]);
  sprintf(to, " %d%d", add_special, parse_special);
  char *found = find();
  if (!found) return -1;
  long count = 0;
  for (char *one = strtok(found, ","); one && count < (long)most; one = strtok(NULL, ",")) ids[count++] = atoi(one);
  return count;
}

long decode_c(const int *ids, size_t count, int skip_special, char *text, size_t most) {
  char *to = key + sprintf(key, "d ");
  for (size_t i = 0; i < count; i++) to += sprintf(to, i ? ",%d" : "%d", ids[i]);
  sprintf(to, " %d", skip_special);
  char *found = find();
  unsigned byte;
  long size = 0;
  for (; found && size < (long)most && sscanf(found + 2 * size, "%2x", &byte) == 1; size++) text[size] = (char)byte;
  return found ? size : -1;
}

/* A tokenizer behind tokparity's exec protocol: cc -O2 -o adapter adapter.c, exec:./adapter. Put your own into encode.
   The requests are JSON as tokparity writes it: one object a line, ": " and ", " between, text as UTF-8. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The ids of a text are its bytes, and 3; 1 goes before them where special tokens are added. */
static void encode(const unsigned char *text, size_t length, int add_special) {
    const char *comma = "";
    if (add_special) { printf("1"); comma = ","; }
    for (size_t i = 0; i < length; i++, comma = ",") printf("%s%d", comma, 3 + text[i]);
}

/* Takes the JSON string at *at (behind its quote) apart, in place; *at is then behind its end. */
static size_t unescape(char **at, unsigned char *out) {
    size_t n = 0;
    char *p = *at, hex[5] = "";
    for (; *p != '"'; p++) {
        if (*p != '\\') { out[n++] = (unsigned char)*p; continue; }
        switch (*++p) {
        case 'n': out[n++] = '\n'; break;
        case 't': out[n++] = '\t'; break;
        case 'r': out[n++] = '\r'; break;
        case 'b': case 'f': out[n++] = *p == 'b' ? '\b' : '\f'; break;
        case 'u': memcpy(hex, p + 1, 4); out[n++] = (unsigned char)strtol(hex, NULL, 16); p += 4; break; /* controls */
        default: out[n++] = (unsigned char)*p;
        }
    }
    *at = p + 1;
    return n;
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        char *id = strstr(line, "\"id\": "), *op = strstr(line, "\"op\": \"") + 7;
        if (!strncmp(op, "bye\"", 4)) break;
        printf("{\"id\":%ld", strtol(id + 6, NULL, 10));
        if (!strncmp(op, "hello\"", 6)) {
            printf(",\"protocol\":1,\"name\":\"bytes in C\",\"capabilities\":{\"add_special\":[false,true]}");
        } else if (!strncmp(op, "encode\"", 7)) { /* the flags stand behind the texts, where no text can be taken for them */
            int add_special = memmem(strrchr(line, ']'), strlen(strrchr(line, ']')), "\"add_special\": true", 19) != NULL;
            char *at = strstr(op, "\"texts\": [") + 10;
            printf(",\"ids\":[");
            for (const char *comma = ""; *at == '"'; comma = ",", at += strspn(at, ", ")) {
                unsigned char *text = (unsigned char *)++at;
                size_t length = unescape(&at, text);
                printf("%s[", comma); encode(text, length, add_special); printf("]");
            }
            printf("]");
        } else if (strncmp(op, "open\"", 5)) { /* of a model, "path" would be read here */
            printf(",\"error\":\"unknown op\"");
        }
        printf("}\n");
        fflush(stdout);
    }
    return 0;
}

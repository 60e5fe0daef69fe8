/* SPDX-License-Identifier: Apache-2.0
 *
 * The files of the browser client, read once: a path of a request is looked up among them, so there
 * is nothing to traverse. The build has packed them already (.gz, .br beside each).
 */
#include "base/check.h"
#include "base/hash.h"
#include "gateway/edge.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES_MAX = 512, FILE_BYTES_MAX = 16 << 20, FILES_MAX = 4096, DEPTH_MAX = 8 };

static const struct {
    const char *ending, *mime;
} mimes[] = {
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".json", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".webp", "image/webp"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".txt", "text/plain; charset=utf-8"},
    {".mp3", "audio/mpeg"},
    {".ogg", "audio/ogg"},
    {".wav", "audio/wav"},
};

static bool ends_in(const char *text, const char *ending)
{
    size_t len = strlen(text), end = strlen(ending);
    return len > end && strcmp(text + len - end, ending) == 0;
}

static const char *mime_of(const char *path)
{
    for (size_t i = 0; i < sizeof mimes / sizeof *mimes; i++)
        if (ends_in(path, mimes[i].ending)) return mimes[i].mime;
    return NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool read_file(const char *path, uint8_t **bytes, size_t *len)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    struct stat about;
    if (fd < 0) return false;
    bool fits = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= FILE_BYTES_MAX;
    size_t size = fits ? (size_t)about.st_size : 0, got = 0;
    uint8_t *into = malloc(size + 1);
    CHECK(into != NULL);
    while (fits && got < size) {
        ssize_t more = read(fd, into + got, size - got);
        if (more < 0 && errno == EINTR) continue;
        if (more <= 0) break;
        got += (size_t)more;
    }
    close(fd);
    if (!fits || got < size) {
        free(into);
        return false;
    }
    *bytes = into;
    *len = size;
    return true;
}

static void add_version(struct site_file *file, enum encoding encoding, const char *real)
{
    static const char *const endings[ENCODINGS] = {"", ".gz", ".br"};
    char path[PATH_BYTES_MAX + 8];
    snprintf(path, sizeof path, "%s%s", real, endings[encoding]);
    if (!read_file(path, &file->as[encoding].bytes, &file->as[encoding].len)) return;
    struct id128 hash = hash_128(slice_of(file->as[encoding].bytes, file->as[encoding].len));
    char *at = file->as[encoding].etag;
    *at++ = '"';
    for (int i = 0; i < 16; i++) at += sprintf(at, "%02x", hash.byte[i]);
    memcpy(at, "\"", 2);
}

static bool add_file(struct site *site, const char *path, const char *real)
{
    const char *mime = mime_of(path);
    if (mime == NULL) return true; /* .br, .gz, and what nobody asks for */
    if (site->count == FILES_MAX) return false;
    struct site_file *wider = realloc(site->files, (site->count + 1) * sizeof *wider);
    CHECK(wider != NULL);
    site->files = wider;
    struct site_file *file = &site->files[site->count++];
    *file = (struct site_file){.mime = mime, .hashed = strncmp(path, "/assets/", 8) == 0};
    file->path = strdup(path);
    CHECK(file->path != NULL);
    for (enum encoding e = ENCODING_NONE; e < ENCODINGS; e++) add_version(file, e, real);
    return file->as[ENCODING_NONE].bytes != NULL;
}

/* path: of the requests, "" at the top; real: of the folder. What goes while the folder is read is
 * not there. */
static bool add_folder(struct site *site, const char *path, const char *real, int depth)
{
    DIR *folder = opendir(real);
    if (folder == NULL) return errno == ENOENT;
    bool fine = depth < DEPTH_MAX;
    struct dirent *entry;
    while (fine && (entry = readdir(folder))) {
        char next_path[PATH_BYTES_MAX], next_real[PATH_BYTES_MAX];
        struct stat about;
        if (entry->d_name[0] == '.') continue;
        int a = snprintf(next_path, sizeof next_path, "%s/%s", path, entry->d_name);
        int b = snprintf(next_real, sizeof next_real, "%s/%s", real, entry->d_name);
        fine = a < PATH_BYTES_MAX && b < PATH_BYTES_MAX;
        if (fine && lstat(next_real, &about) != 0) {
            fine = errno == ENOENT;
            continue;
        }
        if (fine && S_ISDIR(about.st_mode))
            fine = add_folder(site, next_path, next_real, depth + 1);
        else if (fine && S_ISREG(about.st_mode))
            fine = add_file(site, next_path, next_real);
    }
    closedir(folder);
    return fine;
}

static int by_path(const void *a, const void *b)
{
    const struct site_file *left = a, *right = b;
    return strcmp(left->path, right->path);
}

bool site_open(struct site *site, const char *folder, const char **why)
{
    *site = (struct site){0};
    struct stat about;
    if (folder[0] == '\0' || (stat(folder, &about) != 0 && errno == ENOENT)) return true;
    if (!add_folder(site, "", folder, 0)) {
        *why = "the folder of the browser client cannot be read";
        site_close(site);
        return false;
    }
    if (site->count) qsort(site->files, site->count, sizeof *site->files, by_path);
    return true;
}

void site_close(struct site *site)
{
    for (size_t i = 0; i < site->count; i++) {
        free(site->files[i].path);
        for (int e = 0; e < ENCODINGS; e++) free(site->files[i].as[e].bytes);
    }
    free(site->files);
    *site = (struct site){0};
}

/* ---- finding --------------------------------------------------------------------------------- */

/* "/", "/code", "/r/CODE" and "/rules/GAME" are pages of one document. */
static bool is_page(const char *path)
{
    static const char *const under[] = {"/r/", "/rules/"};
    if (strcmp(path, "/") == 0 || strcmp(path, "/code") == 0) return true;
    for (size_t i = 0; i < sizeof under / sizeof *under; i++) {
        size_t len = strlen(under[i]);
        if (strncmp(path, under[i], len) == 0) return path[len] && !strchr(path + len, '/');
    }
    return false;
}

const struct site_file *site_find(const struct site *site, const char *path)
{
    if (site->count == 0) return NULL;
    struct site_file wanted = {.path = (char *)(is_page(path) ? "/index.html" : path)};
    return bsearch(&wanted, site->files, site->count, sizeof wanted, by_path);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * What is in a PEM file of certificates, and maybe a key: until when it is good for something. Who
 * is to be trusted is decided elsewhere.
 */
#ifndef OPS_CERTIFICATE_H
#define OPS_CERTIFICATE_H

#include <stdbool.h>
#include <stdint.h>

struct certificate {
    const char *fault; /* a sentence's end, "is not there"; NULL: it could be read */
    int64_t ends_s;    /* since 1970: when the first of them ends */
    bool early;        /* one of them is not valid yet */
    bool has_key, key_fits;
};

/* with_key: the first one's key is to be in the file too. Blocks while it reads. */
void certificate_read(const char *path, bool with_key, struct certificate *out);

#endif

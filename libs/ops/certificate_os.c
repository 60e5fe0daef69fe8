/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/certificate.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <time.h>

/* Nobody is there to type a pass phrase. */
static int no_phrase(char *into, int size, int writing, void *unused)
{
    (void)writing, (void)unused;
    if (size > 0) into[0] = '\0';
    return 0;
}

/* Since 1970; 0 where it is no time. */
static int64_t seconds_of(const ASN1_TIME *time)
{
    struct tm is = {0};
    return ASN1_TIME_to_tm(time, &is) == 1 ? (int64_t)timegm(&is) : 0;
}

static void take_times(const X509 *certificate, struct certificate *out)
{
    int64_t ends_s = seconds_of(X509_get0_notAfter(certificate));
    if (out->ends_s == 0 || ends_s < out->ends_s) out->ends_s = ends_s;
    out->early |= X509_cmp_current_time(X509_get0_notBefore(certificate)) > 0;
}

static void look_for_key(FILE *file, const X509 *first, struct certificate *out)
{
    rewind(file);
    EVP_PKEY *key = PEM_read_PrivateKey(file, NULL, no_phrase, NULL);
    if (key == NULL) out->fault = "holds no key that can be read without a pass phrase";
    out->has_key = key != NULL;
    out->key_fits = key && X509_check_private_key(first, key) == 1;
    EVP_PKEY_free(key);
}

static void look_into(FILE *file, bool with_key, struct certificate *out)
{
    X509 *first = PEM_read_X509(file, NULL, no_phrase, NULL), *next;
    if (first == NULL) {
        out->fault = "holds no certificate";
        return;
    }
    take_times(first, out);
    while ((next = PEM_read_X509(file, NULL, no_phrase, NULL)) != NULL) {
        take_times(next, out);
        X509_free(next);
    }
    if (with_key) look_for_key(file, first, out);
    X509_free(first);
}

void certificate_read(const char *path, bool with_key, struct certificate *out)
{
    *out = (struct certificate){0};
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        out->fault = errno == ENOENT ? "is not there" : "cannot be read by this user";
        return;
    }
    look_into(file, with_key, out);
    fclose(file);
    ERR_clear_error(); /* libwebsockets asks this queue whether its own calls failed */
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * What is in a PEM file with a certificate, and maybe its key.
 */
#include <errno.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <string.h>

#include "ctl/shell.h"

enum { DAY_S = 24 * 3600 };

/* Nobody is there to type a pass phrase. */
static int no_phrase(char *into, int size, int writing, void *unused)
{
    (void)writing, (void)unused;
    if (size > 0) into[0] = '\0';
    return 0;
}

static int64_t days_until(const ASN1_TIME *end)
{
    int days = 0, seconds = 0;
    if (!ASN1_TIME_diff(&days, &seconds, NULL, end)) return -1;
    return days < 0 || seconds < 0 ? days - (seconds < 0 && days == 0) : days;
}

static void look_into(FILE *file, bool with_key, struct doctor_certificate *out)
{
    X509 *certificate = PEM_read_X509(file, NULL, no_phrase, NULL);
    if (certificate == NULL) {
        out->fault = "holds no certificate";
        return;
    }
    out->days_left = days_until(X509_get0_notAfter(certificate));
    out->early = X509_cmp_current_time(X509_get0_notBefore(certificate)) > 0;
    if (with_key) {
        rewind(file);
        EVP_PKEY *key = PEM_read_PrivateKey(file, NULL, no_phrase, NULL);
        if (key == NULL) out->fault = "holds no key that can be read without a pass phrase";
        out->has_key = key != NULL;
        out->key_fits = key && X509_check_private_key(certificate, key) == 1;
        EVP_PKEY_free(key);
    }
    X509_free(certificate);
    ERR_clear_error();
}

void certificate_look(const char *path, bool with_key, struct doctor_certificate *out)
{
    *out = (struct doctor_certificate){0};
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        out->fault = errno == ENOENT ? "is not there" : "cannot be read by this user";
        return;
    }
    look_into(file, with_key, out);
    fclose(file);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * As much of HTTP and of the Prometheus text format as madangctl reads. Pure.
 */
#ifndef CTL_HTTP_H
#define CTL_HTTP_H

#include "base/buf.h"

/* The status of an answer, and where its body begins. 0: it is none, or not whole yet. */
int http_status(struct slice answer, struct slice *body);
/* The host of tcp://host:port, without brackets of IPv6. False: it has none, or it does not fit. */
bool url_host(const char *url, char *out, size_t size);
int url_port(const char *url); /* -1: it names none */
/* The value of a metric without labels. False: it is not there. */
bool metric_value(struct slice text, const char *name, double *out);
/* The sum of a metric over all its labels. False: it is not there. */
bool metric_sum(struct slice text, const char *name, double *out);

#endif

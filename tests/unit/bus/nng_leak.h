/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests in which peers die, under the address sanitizer. A message that nng gives to a
 * connection that is closing is nobody's any more: it is put into an aio that was stopped, which
 * neither sends it nor says so (nng 1.5, push0_pipe_ready). That is one batch for each death of
 * this kind. That ours are freed is seen by the tests in which nobody dies.
 */
#ifndef UNIT_BUS_NNG_LEAK_H
#define UNIT_BUS_NNG_LEAK_H

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libnng.so";
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/histogram.h"

const struct histogram_bounds histogram_action_ms = {
    12, {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000}};
const struct histogram_bounds histogram_outage_ms = {
    12, {50, 100, 200, 300, 500, 1000, 1500, 2000, 3000, 5000, 10000, 30000}};
const struct histogram_bounds histogram_match_ms = {
    10, {100, 500, 1000, 2000, 5000, 10000, 15000, 20000, 30000, 60000}};
const struct histogram_bounds histogram_call_us = {15,
                                                   {100, 200, 500, 1000, 2000, 5000, 10000, 20000,
                                                    50000, 100000, 200000, 500000, 1000000, 2000000,
                                                    5000000}};
const struct histogram_bounds histogram_batch = {
    12, {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048}};

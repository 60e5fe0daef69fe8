// SPDX-License-Identifier: Apache-2.0
//
// The number of the protocol this build speaks (proto/client.proto). A gateway that speaks another
// one says so in its Welcome, and the player is asked to reload.
export const PROTOCOL_CURRENT = 2;

// SPDX-License-Identifier: MIT
// Generated from package.json; do not edit.

/** Version of the package. */
export const version = '0.2.0';

// SPDX-License-Identifier: MIT
/** Version of the package. */
export const version = '0.1.0';

// SPDX-License-Identifier: MIT
/** Of the package. */
export const version = '0.1.0';

// SPDX-License-Identifier: MIT
// For engines that cannot unpack gzip; only these fetch it.
export { gunzipSync } from 'fflate';

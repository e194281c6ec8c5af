// SPDX-License-Identifier: MIT
// For engines that cannot unpack gzip themselves; fetched only there.
export { gunzipSync } from 'fflate';

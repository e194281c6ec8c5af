// SPDX-License-Identifier: MIT
// The minimal page: measures the cost of any page with a module script.
globalThis.cold.mark('evaluated');
globalThis.cold.result = { marks: globalThis.cold.marks, values: [] };

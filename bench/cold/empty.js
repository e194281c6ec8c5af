// SPDX-License-Identifier: MIT
// What any page with a module script costs.
globalThis.cold.mark('evaluated');
globalThis.cold.result = { marks: globalThis.cold.marks, values: [] };

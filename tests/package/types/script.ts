/// <reference types="maskflow" />
// SPDX-License-Identifier: MIT
// A script that uses the global of maskflow.iife.js.
maskflow.ready().then(() => maskflow.tensor([1, 2]).shape.length);
// @ts-expect-error no such name
maskflow.tensors([1]);

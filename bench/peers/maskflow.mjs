// SPDX-License-Identifier: MIT
// The package in dist/ as one of the peers.
import * as mf from '../../dist/index.js';
import { maskflowPackage } from './maskflow_package.mjs';

export const { name, start, prepare } = maskflowPackage(mf);

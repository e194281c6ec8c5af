// SPDX-License-Identifier: MIT
import * as mf from '../../dist/index.js';
import { maskflowPackage } from './maskflow_package.mjs';

export const { name, start, prepare } = maskflowPackage(mf);

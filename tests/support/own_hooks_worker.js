// SPDX-License-Identifier: MIT
// The script of a custom worker whose models override methods of training.
import { loadModel, ready } from '../../dist/train.js';
import { serve } from '../../dist/worker.js';
import { registerHooked } from './hooked_model.js';

registerHooked();
serve({ ready, loadModel });

// SPDX-License-Identifier: MIT
// The script of a custom worker that trains.
import { loadModel, ready } from '../../dist/train.js';
import { serve } from '../../dist/worker.js';

serve({ ready, loadModel });

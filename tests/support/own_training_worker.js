// SPDX-License-Identifier: MIT
// The script of a worker of one's own that trains.
import { loadModel, ready } from '../../dist/train.js';
import { serve } from '../../dist/worker.js';

serve({ ready, loadModel });

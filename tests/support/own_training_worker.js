// SPDX-License-Identifier: MIT
// The script of a custom worker that trains, also models with a CRF.
import '../../dist/tags.js';
import { loadModel, ready } from '../../dist/train.js';
import { serve } from '../../dist/worker.js';

serve({ ready, loadModel });

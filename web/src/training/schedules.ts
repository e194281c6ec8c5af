// SPDX-License-Identifier: MIT
import { native, unwrap } from '../engine/engine.js';
import { configured, type Schedule } from './configured.js';

/** What makes schedules of that name. */
export const scheduleMaker =
  (className: string) =>
  (settings?: object): Schedule => {
    const schedule = configured('schedule', className, settings);
    // Not enumerable: it stays plain data for configurations.
    const at = (step: number) => unwrap(native().scheduleValue(schedule, step));
    return Object.defineProperty(schedule, 'at', { value: at }) as Schedule;
  };

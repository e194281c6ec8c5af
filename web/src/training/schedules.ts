// SPDX-License-Identifier: MIT
// The generated functions of `schedules` call this one. The core computes the rates.
import { native, unwrap } from '../engine/engine.js';
import { configured, type Schedule } from './configured.js';

/** Creates a schedule of a class. */
export const createSchedule = (className: string, settings: object): Schedule => {
  const schedule = configured('schedule', className, settings);
  // Not enumerable, so that the schedule stays plain data for configs.
  const at = (step: number) => unwrap(native().scheduleValue(schedule, step));
  return Object.defineProperty(schedule, 'at', { value: at }) as Schedule;
};

// @ts-check
import { readFileSync } from 'node:fs';

/** USER_HZ, which Linux fixes at 100 for what it shows in /proc. */
const MS_PER_TICK = 10;

/**
 * CPU time that a process and its threads have used so far, in ms; null where there is no /proc.
 * @param {number} pid
 */
export function readCpuMs(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name may hold spaces and parentheses: fields count from behind its last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return null;
  }
}

/** @param {readonly number[]} pids */
export function sumCpuMs(pids) {
  const times = pids.map(readCpuMs);
  return times.includes(null) ? null : times.reduce((/** @type {number} */ sum, time) => sum + (time ?? 0), 0);
}

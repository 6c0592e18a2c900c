// @ts-check
import { readFileSync } from 'node:fs';

/** The unit USER_HZ, which is always 100 per second in Linux's /proc. */
const MS_PER_TICK = 10;

/**
 * Returns the CPU time of a process and its threads in ms, or null without /proc.
 * @param {number} pid
 */
export function readCpuMs(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name may contain spaces and parentheses, so fields are counted after its last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return null;
  }
}

/** @param {readonly number[]} pids */
export function sumCpuMs(pids) {
  const times = pids.map(readCpuMs);
  return times.includes(null)
    ? null
    : times.reduce((/** @type {number} */ sum, time) => sum + (time ?? 0), 0);
}

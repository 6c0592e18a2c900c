// @ts-check
/** Finds the processes of a product by name, for suites that kill them while a supervisor restarts them. */
import { waitFor } from './wait.mjs';

/** @typedef {{ listProcesses: () => readonly { name: string, pid: number }[] }} Processes */

/**
 * Returns the process id, or undefined while no process has this name.
 * @param {Processes} processes
 * @param {string} name
 */
export function pidOf(processes, name) {
  return processes.listProcesses().find((item) => item.name === name)?.pid;
}

/**
 * Sends a signal to a process and returns its id.
 * @param {Processes} processes
 * @param {string} name
 * @param {NodeJS.Signals} [signal]
 */
export async function signalProcess(processes, name, signal = 'SIGKILL') {
  const pid = await waitFor(`${name} runs`, async () => pidOf(processes, name), { timeoutMs: 60_000 });
  process.kill(pid, signal);
  return pid;
}

/**
 * @param {Processes} processes
 * @param {string} name
 * @param {number | undefined} pid the id of the previous process
 */
export function waitForSuccessor(processes, name, pid) {
  return waitFor(
    `${name} is another process`,
    async () => {
      const found = pidOf(processes, name);
      return found !== undefined && found !== pid;
    },
    { timeoutMs: 60_000 },
  );
}

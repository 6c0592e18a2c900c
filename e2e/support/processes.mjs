// @ts-check
/** The processes of a product as a suite sees them that ends some: by name, while whoever watches starts them again. */
import { waitFor } from './wait.mjs';

/** @typedef {{ listProcesses: () => readonly { name: string, pid: number }[] }} Processes */

/** Undefined while there is none. @param {Processes} processes @param {string} name */
export function pidOf(processes, name) {
  return processes.listProcesses().find((one) => one.name === name)?.pid;
}

/** Ends it, and answers its id. @param {Processes} processes @param {string} name @param {NodeJS.Signals} [signal] */
export async function signalProcess(processes, name, signal = 'SIGKILL') {
  const pid = await waitFor(`${name} runs`, async () => pidOf(processes, name), { timeoutMs: 60_000 });
  process.kill(pid, signal);
  return pid;
}

/** @param {Processes} processes @param {string} name @param {number | undefined} pid of the one that went */
export function waitForSuccessor(processes, name, pid) {
  return waitFor(`${name} is another process`, async () => {
    const found = pidOf(processes, name);
    return found !== undefined && found !== pid;
  }, { timeoutMs: 60_000 });
}

import { rmSync } from 'node:fs';
import { sendSignal } from '../processes/child.mjs';
import { writeJsonFile } from '../data-folder/json-file.mjs';

/**
 * The order in which processes stop, with the time that each may take. The total is below ten seconds, after
 * which many service managers kill everything at once.
 */
export const STAGES = [
  { match: /^gateway/, graceMs: 2_500 },
  { match: /^migration-worker/, graceMs: 2_000 },
  { match: /^control-plane$/, graceMs: 1_500 },
  { match: /^redis$/, graceMs: 1_000 },
  { match: /^(platform-)?mysql$/, graceMs: 2_500 },
];

/** Tracks all started processes, records them on disk, and stops them in order. */
export class StopPlan {
  /** @type {Map<string, import('../processes/supervise.mjs').Supervised>} */
  #parts = new Map();
  /** @type {Promise<void> | null} */
  #stopping = null;
  #recordFile;
  #onStopped;

  /**
   * @param {string} recordFile
   * @param {() => void} onStopped
   */
  constructor(recordFile, onStopped) {
    this.#recordFile = recordFile;
    this.#onStopped = onStopped;
  }

  /**
   * @param {string} name
   * @param {import('../processes/supervise.mjs').Supervised} process
   */
  add(name, process) {
    this.#parts.set(name, process);
    this.record();
    // The process was started while all others were being stopped.
    if (this.#stopping !== null) void process.stop(1_000);
  }

  /** Writes the running processes to disk, for the next launcher in case this one is killed. */
  record() {
    const running = [...this.#parts.values()]
      .map((part) => part.current())
      .filter((child) => child !== null && !child.exited);
    if (this.#stopping === null)
      writeJsonFile(
        this.#recordFile,
        running.map((child) => ({ name: child?.name, pid: child?.pid, startTime: child?.startTime })),
      );
  }

  listProcesses() {
    return [...this.#parts.entries()].flatMap(([name, part]) => {
      const child = part.current();
      return child === null || child.exited ? [] : [{ name, pid: child.pid }];
    });
  }

  stop() {
    this.#stopping ??= this.#stopInOrder();
    return this.#stopping;
  }

  kill() {
    for (const { pid } of this.listProcesses()) sendSignal(pid, 'SIGKILL');
  }

  async #stopInOrder() {
    for (const { match, graceMs } of STAGES) {
      const parts = [...this.#parts.entries()].filter(([name]) => match.test(name));
      await Promise.all(parts.map(([, part]) => part.stop(graceMs)));
    }
    rmSync(this.#recordFile, { force: true });
    this.#onStopped();
  }
}

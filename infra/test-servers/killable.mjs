/**
 * Returns the functions by which a suite kills a server and starts it again.
 * @param {() => import('@rowhouse/local/processes/child').Child} readChild returns the current process
 * @returns {{pid: () => number, isRunning: () => boolean, kill: () => Promise<void>}} `kill` sends SIGKILL
 *   and resolves when the process has ended
 */
export function toKillable(readChild) {
  return {
    pid: () => readChild().pid,
    isRunning: () => !readChild().exited,
    async kill() {
      process.kill(readChild().pid, 'SIGKILL');
      await readChild().done;
    },
  };
}

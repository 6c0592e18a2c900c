/**
 * What a suite needs of a server that it kills and starts again.
 *
 * @param {() => import('./child.mjs').Child} readChild as which it runs now
 * @returns {{pid: () => number, isRunning: () => boolean, kill: () => Promise<void>}} `kill`: SIGKILL, and gone when this is done
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

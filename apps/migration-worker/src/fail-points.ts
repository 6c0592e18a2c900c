/** Ends the process as `kill -9` would when `name` is one of the points asked for. */
export type FailPoint = (name: string) => void;

/** Exit code of a process that ended at a fail point. */
export const FAIL_POINT_EXIT = 137;

/** `asked` is empty outside tests (`readWorkerConfig` refuses anything else), so that nothing here can end a real worker. */
export function createFailPoint(asked: ReadonlySet<string>): FailPoint {
  if (asked.size === 0) return () => undefined;
  return (name) => {
    // No handlers, no flushing: what is not yet on the server or in the journal must look as if it never happened.
    if (asked.has(name)) process.kill(process.pid, 'SIGKILL');
  };
}

import module from 'node:module';

/** Past what a start brings along: the code that requests need is among it then, and the first of them do not wait for the disk. */
const AFTER_MS = 5_000;

/**
 * Writes down what V8 has made of the modules, for the next start to begin with: where `NODE_COMPILE_CACHE` names a folder
 * and Node knows of it (22 on). Node does it by itself at the end of a process, which one that is killed never reaches.
 *
 * @param when `now` blocks the event loop until all is written: half a second for thousands of modules, which must then be
 * before the process listens. A bundle takes a few milliseconds.
 */
export function keepCompiledCode(when: 'now' | 'later' = 'later'): void {
  const { flushCompileCache } = module as { flushCompileCache?: () => void };
  if (flushCompileCache === undefined) return;
  if (when === 'now') flushCompileCache();
  else setTimeout(flushCompileCache, AFTER_MS).unref();
}

import type { SplitOptions } from './types.js';

export interface ExecutableComment {
  /** Offset where the text to run begins. */
  readonly bodyStart: number;
  readonly isRun: boolean;
}

const VERSION = /[0-9]{5,6}/y;

/**
 * Whether a server runs the `/*!` or `/*M!` comment at `offset`, and where its text begins. `nnnnn` is the lowest
 * version that runs it; MariaDB skips 50700 to 99999, which speak to later MySQL servers, and MySQL takes `/*M!` for a
 * plain comment.
 */
export function readExecutableComment(text: string, offset: number, options: SplitOptions): ExecutableComment {
  const isMariadbOnly = text.charAt(offset + 2) !== '!';
  const afterBang = offset + (isMariadbOnly ? 4 : 3);
  VERSION.lastIndex = afterBang;
  const digits = VERSION.exec(text)?.[0];
  const bodyStart = afterBang + (digits?.length ?? 0);
  if (isMariadbOnly && options.engine !== 'mariadb') return { bodyStart, isRun: false };
  if (digits === undefined) return { bodyStart, isRun: true };
  const asked = Number(digits);
  if (options.engine === 'mariadb' && !isMariadbOnly && asked >= 50700 && asked <= 99999) return { bodyStart, isRun: false };
  return { bodyStart, isRun: asked <= toVersionNumber(options.version) };
}

/** `10.11.19-MariaDB` -> 101119, `8.0.36` -> 80036. Text without a version counts as 0: nothing versioned runs. */
function toVersionNumber(version: string): number {
  const parts = /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(version);
  if (parts === null) return 0;
  return Number(parts[1]) * 10_000 + Number(parts[2]) * 100 + Number(parts[3] ?? 0);
}

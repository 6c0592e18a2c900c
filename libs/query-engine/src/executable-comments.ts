import type { SplitOptions } from './types.js';

export interface ExecutableComment {
  /** The offset of the text to run. */
  readonly bodyStart: number;
  readonly isRun: boolean;
}

const VERSION = /[0-9]{5,6}/y;

/**
 * Returns whether a server runs the `/*!` or `/*M!` comment at `offset`, and where its text begins. The
 * digits are the lowest version that runs it. MariaDB skips 50700 to 99999, which address later MySQL
 * versions. MySQL treats `/*M!` as a plain comment.
 */
export function readExecutableComment(
  text: string,
  offset: number,
  options: SplitOptions,
): ExecutableComment {
  const isMariadbOnly = text.charAt(offset + 2) !== '!';
  const afterBang = offset + (isMariadbOnly ? 4 : 3);
  VERSION.lastIndex = afterBang;
  const digits = VERSION.exec(text)?.[0];
  const bodyStart = afterBang + (digits?.length ?? 0);
  if (isMariadbOnly && options.engine !== 'mariadb') return { bodyStart, isRun: false };
  if (digits === undefined) return { bodyStart, isRun: true };
  const requestCount = Number(digits);
  if (options.engine === 'mariadb' && !isMariadbOnly && requestCount >= 50700 && requestCount <= 99999)
    return { bodyStart, isRun: false };
  return { bodyStart, isRun: requestCount <= toVersionNumber(options.version) };
}

/**
 * Converts `10.11.19-MariaDB` to 101119, and `8.0.36` to 80036. Text without a version becomes 0, so no
 * versioned comment runs.
 */
function toVersionNumber(version: string): number {
  const parts = /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(version);
  if (parts === null) return 0;
  return Number(parts[1]) * 10_000 + Number(parts[2]) * 100 + Number(parts[3] ?? 0);
}

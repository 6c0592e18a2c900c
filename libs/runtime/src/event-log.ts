import { writeSync } from 'node:fs';

export type EventLevel = 'info' | 'error';

/**
 * Log lines by the thousand: the same form as the logger's, at a tenth of its price, since the caller writes the
 * members itself. Lines are gathered and written in one go; what stops the process is preceded by `close`.
 */
export interface EventLog {
  /** Whether lines of this level are written at all. */
  isEnabled(level: EventLevel): boolean;
  /** `members` is JSON text without the braces: `"a":1,"b":"x"`. Escaping it is the caller's matter. */
  write(level: EventLevel, members: string): void;
  /** Writes what was gathered. */
  flush(): void;
  close(): void;
}

export interface EventLogOptions {
  readonly service: string;
  /** Of the logger: `info` and below write both levels, `warn` and `error` errors alone. */
  readonly level: string;
  /** Writes text whole or in part and gives the number of bytes written; stdout otherwise. */
  readonly output?: (bytes: Buffer) => number;
}

const NUMBERS: Readonly<Record<EventLevel, number>> = { info: 30, error: 50 };
const INFO_LEVELS = new Set(['trace', 'debug', 'info']);
const ERROR_LEVELS = new Set([...INFO_LEVELS, 'warn', 'error']);
const GATHER_CHARACTERS = 16_384;
const GATHER_MS = 200;
/** What a reader that does not read may leave behind; later lines are dropped. */
const PENDING_BYTES_MAX = 4 * 1024 * 1024;
const STDOUT = 1;

export function createEventLog(options: EventLogOptions): EventLog {
  const output = options.output ?? ((bytes) => writeSync(STDOUT, bytes));
  const tail = `","service":${JSON.stringify(options.service)},"pid":${process.pid},`;
  const heads: Readonly<Record<EventLevel, string>> = { info: `{"level":${NUMBERS.info},"time":"`, error: `{"level":${NUMBERS.error},"time":"` };
  let gathered = '';
  let pending: Buffer = Buffer.alloc(0);
  let timer: NodeJS.Timeout | undefined;
  const clock = createClock();

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (gathered !== '' && pending.length < PENDING_BYTES_MAX) pending = pending.length === 0 ? Buffer.from(gathered) : Buffer.concat([pending, Buffer.from(gathered)]);
    gathered = '';
    try {
      while (pending.length > 0) pending = pending.subarray(output(pending));
    } catch (error) {
      // A pipe that is full takes it later; one whose reader is gone never does.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') pending = Buffer.alloc(0);
    }
    if (pending.length > 0) flushLater();
  }

  function flushLater(): void {
    timer ??= setTimeout(flush, GATHER_MS);
    timer.unref();
  }

  return {
    isEnabled: (level) => (level === 'info' ? INFO_LEVELS : ERROR_LEVELS).has(options.level),
    write(level, members) {
      gathered += `${heads[level]}${clock()}${tail}${members}}\n`;
      if (level === 'error' || gathered.length >= GATHER_CHARACTERS) flush();
      else if (timer === undefined) flushLater();
    },
    flush,
    close: flush,
  };
}

/** ISO 8601 in UTC. Most of it stays the same for a second. */
function createClock(): () => string {
  let second = Number.NaN;
  let head = '';
  return () => {
    const nowMs = Date.now();
    const ms = nowMs % 1_000;
    if (nowMs - ms !== second) {
      second = nowMs - ms;
      head = new Date(second).toISOString().slice(0, 20);
    }
    return `${head}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z`;
  };
}

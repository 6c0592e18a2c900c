import { isTimeRange, type TimeRange } from '../../ui/formatting/time-ranges.js';

/** The search parameters of the logs page. */
export interface LogSearch {
  readonly status?: string;
  readonly method?: string;
  readonly route?: string;
  readonly key?: string;
  readonly code?: string;
  readonly request?: string;
  readonly slow?: number;
  readonly range?: TimeRange;
  readonly live?: boolean;
  /** Whether the requests are shown that the console itself sent. */
  readonly console?: boolean;
  /** The id of the log line that is open. */
  readonly line?: string;
}

const TEXTS = ['method', 'route', 'key', 'code', 'request', 'line'] as const;
const TEXT_LENGTH_MAX = 200;

/** Reads the search parameters and ignores invalid ones. */
export function readLogSearch(search: Record<string, unknown>): LogSearch {
  const texts = Object.fromEntries(
    TEXTS.flatMap((name) => {
      const text = toText(search[name]);
      return text === '' ? [] : [[name, text.slice(0, TEXT_LENGTH_MAX)]];
    }),
  );
  const status = toText(search['status']);
  const slow = Number(search['slow'] ?? 0);
  return {
    ...texts,
    ...(/^[1-5](\d\d|xx)$/.test(status) ? { status } : {}),
    ...(Number.isFinite(slow) && slow > 0 ? { slow } : {}),
    ...(isTimeRange(search['range']) ? { range: search['range'] } : {}),
    ...(search['live'] === true ? { live: true } : {}),
    ...(search['console'] === true ? { console: true } : {}),
  };
}

/** Converts a search parameter to text, because the router parses `status=404` as a number. */
function toText(value: unknown): string {
  return typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
}

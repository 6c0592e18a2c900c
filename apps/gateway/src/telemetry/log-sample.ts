import type { RequestLogRow } from '@rowhouse/platform-store';

/** The lines of one interval that the request log keeps. */
export interface LogSample {
  /** `row` is made only if it is kept, at least for now. */
  keep(databaseId: string, row: () => RequestLogRow): void;
  /** What was kept since the last time. */
  take(): RequestLogRow[];
}

export interface LogSampleBounds {
  readonly rowsMax: number;
  readonly rowsPerDatabaseMax: number;
}

interface Share {
  readonly rows: RequestLogRow[];
  seen: number;
}

const DEFAULT_BOUNDS: LogSampleBounds = { rowsMax: 2_000, rowsPerDatabaseMax: 500 };
/** How many shares are looked at when room has to be made: enough to meet one of the large ones nearly always. */
const LOOKS = 8;

/**
 * A sample per database: whoever sends much fills its own share, and the one failed request of a quiet neighbour is still
 * found by its id. Within a share each request has the same chance (reservoir sampling).
 */
export function createLogSample({ rowsMax, rowsPerDatabaseMax }: LogSampleBounds = DEFAULT_BOUNDS): LogSample {
  let shares = new Map<string, Share>();
  let list: Share[] = [];
  let total = 0;

  function shareOf(databaseId: string): Share {
    let share = shares.get(databaseId);
    if (share === undefined) {
      shares.set(databaseId, (share = { rows: [], seen: 0 }));
      list.push(share);
    }
    return share;
  }

  /** Whether a place is free now: one that nobody has, or one of a share that has more. */
  function makeRoom(share: Share): boolean {
    if (total < rowsMax) {
      total += 1;
      return true;
    }
    let longest = share;
    for (const other of pickSome(list)) if (other.rows.length > longest.rows.length) longest = other;
    if (longest.rows.length <= share.rows.length + 1) return false;
    longest.rows.splice(Math.floor(Math.random() * longest.rows.length), 1);
    return true;
  }

  return {
    keep(databaseId, row) {
      const share = shareOf(databaseId);
      share.seen += 1;
      if (share.rows.length < rowsPerDatabaseMax && makeRoom(share)) share.rows.push(row());
      else if (Math.random() * share.seen < share.rows.length) share.rows[Math.floor(Math.random() * share.rows.length)] = row();
    },
    take() {
      const rows = list.flatMap((share) => share.rows);
      shares = new Map();
      list = [];
      total = 0;
      return rows;
    },
  };
}

function pickSome<T>(items: readonly T[]): readonly T[] {
  if (items.length <= LOOKS) return items;
  return Array.from({ length: LOOKS }, () => items[Math.floor(Math.random() * items.length)] as T);
}

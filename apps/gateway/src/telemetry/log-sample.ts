import type { RequestLogRow } from '@rowhouse/platform-store';

/** Samples the request log of one interval. */
export interface LogSample {
  /** Offers a request to the sample. `row` is only called when the sample takes it. */
  add(databaseId: string, row: () => RequestLogRow): void;
  /** Returns the sample since the previous call, and starts a new one. */
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
/** The number of random shares that are compared. A row is then removed from the largest of them. */
const COMPARED_SHARES = 8;

/**
 * Creates a sample in which each database has its own share, so that a busy database does not displace the
 * requests of others. Within a share, each request has the same chance (reservoir sampling).
 */
export function createLogSample({
  rowsMax,
  rowsPerDatabaseMax,
}: LogSampleBounds = DEFAULT_BOUNDS): LogSample {
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

  /** Returns whether a row can be added. If necessary, a row of a larger share is removed first. */
  function freeCapacity(share: Share): boolean {
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
    add(databaseId, row) {
      const share = shareOf(databaseId);
      share.seen += 1;
      if (share.rows.length < rowsPerDatabaseMax && freeCapacity(share)) share.rows.push(row());
      else if (Math.random() * share.seen < share.rows.length)
        share.rows[Math.floor(Math.random() * share.rows.length)] = row();
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
  if (items.length <= COMPARED_SHARES) return items;
  return Array.from({ length: COMPARED_SHARES }, () => items[Math.floor(Math.random() * items.length)] as T);
}

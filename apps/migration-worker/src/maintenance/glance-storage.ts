import { withConnection } from '../servers/server-access.js';
import type { WorkerServer } from '@rowhouse/platform-store';
import type { WorkerContext } from '../worker-context.js';
import { SIZES, TIGHT } from './measure-storage.js';

/** The number of further checks for which a server must have space, at its current growth. */
const LOOKS_AHEAD = 2;

export interface StorageProbe {
  /**
   * Returns whether the server will be nearly full within the next checks.
   * Always false for a server without a known capacity.
   */
  isFillingUp(server: WorkerServer): Promise<boolean>;
}

/** Reads one number per server, often: a disk can be filled between two measurements of all databases. */
export function createStorageProbe(ctx: Pick<WorkerContext, 'access'>): StorageProbe {
  const seen = new Map<string, number>();
  return {
    async isFillingUp(server) {
      if (server.storageBytesMax === null) return false;
      const [row] = await withConnection(ctx.access.openObserver(server), (observer) =>
        observer.rows<{ bytes: string | number | null }>(
          `SELECT SUM(FILE_SIZE) AS bytes FROM information_schema.${SIZES[server.engine]} WHERE NAME LIKE '%/%'`,
        ),
      );
      const bytes = Number(row?.bytes ?? 0);
      const grown = Math.max(0, bytes - (seen.get(server.id) ?? bytes));
      seen.set(server.id, bytes);
      return bytes + grown * LOOKS_AHEAD > server.storageBytesMax * TIGHT;
    },
  };
}

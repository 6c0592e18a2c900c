import { withConnection } from '../servers/server-access.js';
import type { WorkerServer } from '@rowhouse/platform-store';
import type { WorkerContext } from '../worker-context.js';
import { SIZES, TIGHT } from './measure-storage.js';

/** How many more of these looks a server has to have room for, by what it grew since the last one. */
const LOOKS_AHEAD = 2;

export interface StorageGlance {
  /** Whether the server will be tight before there is a look or two more. Of one that does not tell its room: never. */
  isFillingUp(server: WorkerServer): Promise<boolean>;
}

/** One number of each server, often: between two measurements of all its databases a disk can be filled. */
export function createStorageGlance(ctx: Pick<WorkerContext, 'access'>): StorageGlance {
  const seen = new Map<string, number>();
  return {
    async isFillingUp(server) {
      if (server.storageBytesMax === null) return false;
      const [row] = await withConnection(ctx.access.openObserver(server), (observer) => observer.rows<{ bytes: string | number | null }>(`SELECT SUM(FILE_SIZE) AS bytes FROM information_schema.${SIZES[server.engine]} WHERE NAME LIKE '%/%'`));
      const bytes = Number(row?.bytes ?? 0);
      const grown = Math.max(0, bytes - (seen.get(server.id) ?? bytes));
      seen.set(server.id, bytes);
      return bytes + grown * LOOKS_AHEAD > server.storageBytesMax * TIGHT;
    },
  };
}

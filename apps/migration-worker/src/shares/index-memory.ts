import type { AdminConnection } from '@rowhouse/mysql';
import type { EngineKind } from '@rowhouse/schema-model';
import type { DirectSession, Verdict } from './judge-sessions.js';
import type { ListedSession } from './list-sessions.js';

const BYTES_SQL = `SELECT CURRENT_NUMBER_OF_BYTES_USED AS bytes
  FROM performance_schema.memory_summary_global_by_event_name WHERE EVENT_NAME = 'memory/innodb/ddl'`;

export interface IndexMemoryInput {
  readonly engine: EngineKind;
  readonly direct: readonly DirectSession[];
  readonly listed: readonly ListedSession[];
  readonly max: number;
}

/**
 * Returns the direct sessions that are building indexes, while all such buffers together take more than `max`
 * bytes. A MySQL session may set `innodb_ddl_buffer_size` to 4 GiB. No setting of the server limits this
 * variable, and no session's memory includes the buffer. The server completes the current step before it
 * ends the session.
 */
export async function judgeIndexMemory(
  observer: Pick<AdminConnection, 'rows'>,
  { engine, direct, listed, max }: IndexMemoryInput,
): Promise<Verdict[]> {
  const building = new Set(listed.filter((item) => item.isBuildingIndexes).map(({ id }) => id));
  const found = direct.filter(({ id }) => building.has(id));
  if (engine === 'mariadb' || found.length === 0) return [];
  const [row] = await observer.rows<{ bytes: number | string }>(BYTES_SQL);
  const bytes = Number(row?.bytes ?? 0);
  if (bytes <= max) return [];
  return found.map((session) => ({ session, bound: 'memory', reach: 'server', figure: bytes, max }));
}

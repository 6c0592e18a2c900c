import type { AdminConnection } from '@rowhouse/mysql';

/** A session with what has to be said on it first; one on which that failed is closed. */
export async function openPrepared(opening: Promise<AdminConnection>, prepare: (connection: AdminConnection) => Promise<unknown>): Promise<AdminConnection> {
  const connection = await opening;
  try {
    await prepare(connection);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

import type { AdminConnection } from '@rowhouse/mysql';

/** Opens a session and runs its initial statements. Closes it if they fail. */
export async function openPrepared(
  opening: Promise<AdminConnection>,
  prepare: (connection: AdminConnection) => Promise<unknown>,
): Promise<AdminConnection> {
  const connection = await opening;
  try {
    await prepare(connection);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

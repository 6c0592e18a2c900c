import { NO_SUCH_THREAD } from '@rowhouse/errors';
import { readServerFault, type AdminConnection } from '@rowhouse/mysql';

/** Ends a session by the server's id. Ignores a session that has ended since it was listed. */
export async function killThread(admin: AdminConnection, id: number): Promise<void> {
  try {
    await admin.run(`KILL ${id}`);
  } catch (error) {
    if (readServerFault(error)?.errno !== NO_SUCH_THREAD) throw error;
  }
}

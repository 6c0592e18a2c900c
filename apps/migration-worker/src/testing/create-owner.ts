import { createId } from '@rowhouse/runtime';
import type { TestDb, WorkerHarness } from './worker-harness.js';

/** Creates a direct connection with the role owner and returns its id. */
export async function createOwner(
  harness: WorkerHarness,
  database: TestDb,
  user: string,
  password: string,
): Promise<string> {
  const id = createId('con');
  await harness.platform.run(
    `INSERT INTO connection_user (id, cell_id, database_id, name, role, user_name, created_by, created_at) VALUES (?, ?, ?, 'app', 'owner', ?, 'acc_test', UTC_TIMESTAMP(3))`,
    [id, harness.cellId, database.id, user],
  );
  await harness.runTask('create_connection', {
    connection_id: id,
    database_id: database.id,
    role: 'owner',
    user_name: user,
    password_sealed: harness.box.seal(password, `connection:${id}`).toString('base64'),
    require_tls: false,
  });
  return id;
}

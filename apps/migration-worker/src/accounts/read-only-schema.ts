import { quoteName, readServerFault, type AdminConnection } from '@rowhouse/mysql';

/** An owner of a MySQL schema can make it read-only. Its objects can then not be changed or dropped. */
const SCHEMA_IS_READ_ONLY = 3989;

/**
 * Runs `callback`, which must be safe to repeat.
 * If a READ ONLY schema stops it, this removes that option and runs `callback` again.
 */
export async function withWritableSchema<T>(
  provisioner: AdminConnection,
  schemaName: string,
  callback: () => Promise<T>,
): Promise<T> {
  try {
    return await callback();
  } catch (error) {
    if (readServerFault(error)?.errno !== SCHEMA_IS_READ_ONLY) throw error;
    await provisioner.run(`ALTER DATABASE ${quoteName(schemaName)} READ ONLY = 0`);
    return callback();
  }
}

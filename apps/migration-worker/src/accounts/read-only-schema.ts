import { quoteName, readServerFault, type AdminConnection } from '@rowhouse/mysql';

/** An owner of a MySQL schema can make it read only, and then nobody changes or drops what is in it. */
const SCHEMA_IS_READ_ONLY = 3989;

/** Runs `work`, which must be safe to run again, and once more with READ ONLY taken off the schema when that stopped it. */
export async function withWritableSchema<T>(provisioner: AdminConnection, schemaName: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (readServerFault(error)?.errno !== SCHEMA_IS_READ_ONLY) throw error;
    await provisioner.run(`ALTER DATABASE ${quoteName(schemaName)} READ ONLY = 0`);
    return work();
  }
}

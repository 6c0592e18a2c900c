import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = [
  ['server', 'public_tls', "varchar(16) NOT NULL DEFAULT 'off'"],
  ['server', 'public_ca', 'text NULL'],
  ['connection_user', 'requires_tls', 'tinyint(1) NOT NULL DEFAULT 0'],
] as const;

/**
 * Adds a TLS setting for direct connections, which may use TLS where the platform itself does not need it.
 * Safe to run again.
 */
export class DirectTls1700000000095 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, column, type] of COLUMNS) {
      const found = (await queryRunner.query(
        `SHOW COLUMNS FROM ${table} WHERE Field = '${column}'`,
      )) as unknown[];
      if (found.length === 0) await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
    }
    // Earlier versions used one setting for the platform and for direct connections.
    await queryRunner.query("UPDATE server SET public_tls = tls WHERE tls = 'required'");
    await queryRunner.query(
      `UPDATE connection_user c JOIN tenant_database d ON d.id = c.database_id JOIN server s ON s.id = d.server_id SET c.requires_tls = 1 WHERE s.tls = 'required'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table, column] of [...COLUMNS].reverse())
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS: readonly (readonly [table: string, column: string, definition: string])[] = [
  // The maximum number of sessions of direct connections. Null means the sessions that gateways and the
  // platform leave.
  ['server', 'direct_connections_max', 'int unsigned NULL'],
  // The session limit of the account on its server. Null for the default. 0 locks the account until
  // `limited_until`.
  ['connection_user', 'sessions_max', 'int unsigned NULL'],
  ['connection_user', 'limited_until', 'datetime(3) NULL'],
];

/** Adds limits of direct connections. Safe to run again. */
export class ShareServers1700000000140 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, column, definition] of COLUMNS) {
      const found = (await queryRunner.query(`SHOW COLUMNS FROM ${table} WHERE Field = ?`, [
        column,
      ])) as unknown[];
      if (found.length === 0)
        await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${definition}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table, column] of COLUMNS)
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS: readonly (readonly [table: string, column: string, definition: string])[] = [
  // The sessions that direct connections may hold on the server; null: what gateways and the platform leave.
  ['server', 'direct_connections_max', 'int unsigned NULL'],
  // The limit that the account has on its server; null: the usual one. 0: locked until `limited_until`.
  ['connection_user', 'sessions_max', 'int unsigned NULL'],
  ['connection_user', 'limited_until', 'datetime(3) NULL'],
];

/** Adds limits of direct connections, and the sessions that the worker ended for them until the audit log has them. Can be run again. */
export class ShareServers1700000000140 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, column, definition] of COLUMNS) {
      const found = (await queryRunner.query(`SHOW COLUMNS FROM ${table} WHERE Field = ?`, [column])) as unknown[];
      if (found.length === 0) await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${definition}`);
    }
    await queryRunner.query(`CREATE TABLE IF NOT EXISTS ended_session (
      id bigint unsigned NOT NULL AUTO_INCREMENT,
      cell_id varchar(16) NOT NULL,
      database_id varchar(40) NOT NULL,
      connection_id varchar(40) NOT NULL,
      bound varchar(32) NOT NULL,
      detail json NOT NULL,
      ended_at datetime(3) NOT NULL,
      PRIMARY KEY (id),
      KEY ended_session_cell (cell_id, id)
    )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE ended_session');
    for (const [table, column] of COLUMNS) await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
}

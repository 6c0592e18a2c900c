import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns for rotations and console keys, and indexes by time. The indexes find the busiest databases of the
 * last minutes, and old log lines. Each statement is safe to run again.
 */
const COLUMNS: readonly (readonly [table: string, name: string, definition: string])[] = [
  // The key that replaced this one. Both keys are valid until the `expires_at` of the replaced key.
  ['api_key', 'replaced_by', 'varchar(40) NULL'],
  // The session with which a console key ends.
  ['api_key', 'session_id', 'varchar(40) NULL'],
  // The time until which the password before the last rotation stays valid.
  ['connection_user', 'previous_until', 'datetime(3) NULL'],
];

const INDEXES: readonly (readonly [table: string, name: string, columns: string])[] = [
  ['api_key', 'api_key_session', 'session_id'],
  ['api_key', 'api_key_creator', 'created_by, kind'],
  ['connection_user', 'connection_user_previous', 'cell_id, previous_until'],
  ['usage_minute', 'usage_minute_time', 'cell_id, minute'],
  ['request_log', 'request_log_time', 'cell_id, at'],
];

export class RotateAndWarmUp1700000000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, name, definition] of COLUMNS) {
      const found = (await queryRunner.query(`SHOW COLUMNS FROM ${table} WHERE Field = ?`, [
        name,
      ])) as unknown[];
      if (found.length === 0)
        await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN ${name} ${definition}`);
    }
    for (const [table, name, columns] of INDEXES) {
      const found = (await queryRunner.query(`SHOW INDEX FROM ${table} WHERE Key_name = ?`, [
        name,
      ])) as unknown[];
      if (found.length === 0) await queryRunner.query(`ALTER TABLE ${table} ADD INDEX ${name} (${columns})`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table, name] of INDEXES) await queryRunner.query(`ALTER TABLE ${table} DROP INDEX ${name}`);
    for (const [table, name] of COLUMNS) await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN ${name}`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Soft-deleted objects, the origin of migrations, and the progress of table copies. Each statement is safe to
 * run again, so an interrupted update continues.
 */
const STATEMENTS: readonly string[] = [
  // `definition` is the JSON of a KeptDefinition. `outcome` is NULL while the object is soft-deleted, and
  // then `restored` or `purged`.
  `CREATE TABLE IF NOT EXISTS kept_object (
     id varchar(40) NOT NULL,
     cell_id varchar(16) NOT NULL,
     database_id varchar(40) NOT NULL,
     migration_id varchar(40) NOT NULL,
     step int unsigned NOT NULL,
     kind varchar(8) NOT NULL,
     table_name varchar(64) NOT NULL,
     column_name varchar(64) NULL,
     kept_name varchar(64) NOT NULL,
     definition mediumtext NOT NULL,
     kept_at datetime(3) NOT NULL,
     expires_at datetime(3) NOT NULL,
     outcome varchar(16) NULL,
     ended_at datetime(3) NULL,
     PRIMARY KEY (id),
     UNIQUE KEY kept_object_name (database_id, kept_name, table_name),
     KEY kept_object_expiry (cell_id, outcome, expires_at)
   )`,
];

/** `origin` is `deploy`, `revert` (of `reverts_id`), or `direct` for DDL of a direct connection. */
const COLUMNS: readonly (readonly [string, string])[] = [
  ['origin', `varchar(16) NOT NULL DEFAULT 'deploy'`],
  ['reverts_id', 'varchar(40) NULL'],
  ['rows_done', 'bigint unsigned NULL'],
  ['rows_total', 'bigint unsigned NULL'],
  ['eta_seconds', 'int unsigned NULL'],
];

export class KeepDroppedObjects1700000000003 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
    for (const [name, definition] of COLUMNS) {
      const found = (await queryRunner.query('SHOW COLUMNS FROM migration WHERE Field = ?', [
        name,
      ])) as unknown[];
      if (found.length === 0)
        await queryRunner.query(`ALTER TABLE migration ADD COLUMN ${name} ${definition}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [name] of COLUMNS) await queryRunner.query(`ALTER TABLE migration DROP COLUMN ${name}`);
    await queryRunner.query('DROP TABLE IF EXISTS kept_object');
  }
}

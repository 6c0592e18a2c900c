import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the lease of the worker that permanently deletes soft-deleted objects. */
const COLUMNS: readonly (readonly [string, string])[] = [
  ['purge_owner', 'varchar(64) NULL'],
  ['purge_until', 'datetime(3) NULL'],
];

export class LeasePurges1700000000110 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, definition] of COLUMNS) {
      const found = (await queryRunner.query('SHOW COLUMNS FROM kept_object WHERE Field = ?', [
        name,
      ])) as unknown[];
      if (found.length === 0)
        await queryRunner.query(`ALTER TABLE kept_object ADD COLUMN ${name} ${definition}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [name] of COLUMNS) await queryRunner.query(`ALTER TABLE kept_object DROP COLUMN ${name}`);
  }
}

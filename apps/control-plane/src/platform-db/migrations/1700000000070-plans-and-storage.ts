import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the plan of a database and its disk space. Each statement is safe to run again. */
const COLUMNS: readonly (readonly [name: string, definition: string])[] = [
  ['plan', "varchar(16) NOT NULL DEFAULT 'standard'"],
  ['storage_bytes', 'bigint unsigned NOT NULL DEFAULT 0'],
  ['storage_measured_at', 'datetime(3) NULL'],
  // Set while the database exceeds its quota. Requests that create records are then rejected.
  ['storage_full', 'tinyint(1) NOT NULL DEFAULT 0'],
];

export class PlansAndStorage1700000000070 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, definition] of COLUMNS) {
      const found = (await queryRunner.query('SHOW COLUMNS FROM tenant_database WHERE Field = ?', [
        name,
      ])) as unknown[];
      if (found.length === 0)
        await queryRunner.query(`ALTER TABLE tenant_database ADD COLUMN ${name} ${definition}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [name] of COLUMNS) await queryRunner.query(`ALTER TABLE tenant_database DROP COLUMN ${name}`);
  }
}

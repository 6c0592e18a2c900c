import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A database's plan, and what it takes on its server's disk. Each statement can be run again. */
const COLUMNS: readonly (readonly [name: string, definition: string])[] = [
  ['plan', "varchar(16) NOT NULL DEFAULT 'standard'"],
  ['storage_bytes', 'bigint unsigned NOT NULL DEFAULT 0'],
  ['storage_measured_at', 'datetime(3) NULL'],
  // Over its quota: creates are refused until there is room again.
  ['storage_full', 'tinyint(1) NOT NULL DEFAULT 0'],
];

export class PlansAndStorage1700000000070 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, definition] of COLUMNS) {
      const found = (await queryRunner.query('SHOW COLUMNS FROM tenant_database WHERE Field = ?', [name])) as unknown[];
      if (found.length === 0) await queryRunner.query(`ALTER TABLE tenant_database ADD COLUMN ${name} ${definition}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [name] of COLUMNS) await queryRunner.query(`ALTER TABLE tenant_database DROP COLUMN ${name}`);
  }
}

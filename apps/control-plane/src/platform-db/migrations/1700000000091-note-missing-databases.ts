import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the time since which a database is missing because its owner dropped it over a direct connection. */
export class NoteMissingDatabases1700000000091 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const found = (await queryRunner.query('SHOW COLUMNS FROM tenant_database WHERE Field = ?', [
      'missing_since',
    ])) as unknown[];
    if (found.length === 0)
      await queryRunner.query('ALTER TABLE tenant_database ADD COLUMN missing_since datetime(3) NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE tenant_database DROP COLUMN missing_since');
  }
}

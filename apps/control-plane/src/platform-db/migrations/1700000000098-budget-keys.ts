import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the maximum estimated number of rows per statement of a key, if it differs from the database's
 * setting.
 */
export class BudgetKeys1700000000098 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const found = (await queryRunner.query('SHOW COLUMNS FROM api_key WHERE Field = ?', [
      'rows_examined_max',
    ])) as unknown[];
    if (found.length === 0)
      await queryRunner.query('ALTER TABLE api_key ADD COLUMN rows_examined_max bigint unsigned NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_key DROP COLUMN rows_examined_max');
  }
}

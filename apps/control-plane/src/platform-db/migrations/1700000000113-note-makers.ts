import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the creator of the project to databases. Gateways divide their capacity by creator. */
export class NoteMakers1700000000113 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const found = (await queryRunner.query('SHOW COLUMNS FROM tenant_database WHERE Field = ?', [
      'account_id',
    ])) as unknown[];
    if (found.length === 0)
      await queryRunner.query('ALTER TABLE tenant_database ADD COLUMN account_id varchar(40) NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE tenant_database DROP COLUMN account_id');
  }
}

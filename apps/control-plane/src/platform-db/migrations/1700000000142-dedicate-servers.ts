import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the organization to which a server may be dedicated. */
export class DedicateServers1700000000142 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const found = (await queryRunner.query('SHOW COLUMNS FROM server WHERE Field = ?', [
      'organization_id',
    ])) as unknown[];
    if (found.length === 0)
      await queryRunner.query('ALTER TABLE server ADD COLUMN organization_id varchar(40) NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE server DROP COLUMN organization_id');
  }
}

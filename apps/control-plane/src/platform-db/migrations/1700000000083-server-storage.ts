import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the maximum disk space of all databases on a server. The column is NULL if there is no maximum. The
 * migration is safe to run again.
 */
export class ServerStorage1700000000083 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const found = (await queryRunner.query(
      "SHOW COLUMNS FROM server WHERE Field = 'storage_bytes_max'",
    )) as unknown[];
    if (found.length === 0)
      await queryRunner.query('ALTER TABLE server ADD COLUMN storage_bytes_max bigint unsigned NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE server DROP COLUMN storage_bytes_max');
  }
}

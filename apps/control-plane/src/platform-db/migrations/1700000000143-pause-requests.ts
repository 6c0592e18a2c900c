import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds pauses of requests. Requests of a database wait until `requests_paused_until`. While `names_changing`
 * is set, they wait without a time limit, because a name may no longer have the meaning of the published
 * snapshot.
 */
export class PauseRequests1700000000143 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const found = (await queryRunner.query('SHOW COLUMNS FROM tenant_database WHERE Field = ?', [
      'requests_paused_until',
    ])) as unknown[];
    if (found.length > 0) return;
    await queryRunner.query(
      'ALTER TABLE tenant_database ADD COLUMN requests_paused_until datetime(3) NULL, ADD COLUMN names_changing tinyint NOT NULL DEFAULT 0',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE tenant_database DROP COLUMN requests_paused_until, DROP COLUMN names_changing',
    );
  }
}

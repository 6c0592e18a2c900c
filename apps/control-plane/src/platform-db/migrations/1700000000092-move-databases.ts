import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds moves of databases between servers. One row contains the request, the progress and the report of a
 * move. A worker claims it with a lease and a fencing token, and `checkpoint` is its progress. Writes of the
 * database are paused until `moving_until`.
 */
export class MoveDatabases1700000000092 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE IF NOT EXISTS database_move (
      id varchar(40) NOT NULL,
      cell_id varchar(16) NOT NULL,
      database_id varchar(40) NOT NULL,
      from_server_id varchar(40) NOT NULL,
      to_server_id varchar(40) NOT NULL,
      state varchar(16) NOT NULL DEFAULT 'queued',
      checkpoint longtext NULL,
      rows_done bigint unsigned NOT NULL DEFAULT 0,
      rows_total bigint unsigned NOT NULL DEFAULT 0,
      switches int unsigned NOT NULL DEFAULT 0,
      pause_ms int unsigned NULL,
      error json NULL,
      attempt int unsigned NOT NULL DEFAULT 0,
      lease_owner varchar(64) NULL,
      lease_expires_at datetime(3) NULL,
      fencing_token bigint unsigned NOT NULL DEFAULT 0,
      cancel_requested_at datetime(3) NULL,
      created_by varchar(40) NOT NULL,
      created_at datetime(3) NOT NULL,
      started_at datetime(3) NULL,
      switched_at datetime(3) NULL,
      finished_at datetime(3) NULL,
      PRIMARY KEY (id),
      KEY database_move_queue (cell_id, state, created_at),
      KEY database_move_database (database_id, created_at)
    )`);
    const found = (await queryRunner.query('SHOW COLUMNS FROM tenant_database WHERE Field = ?', [
      'moving_until',
    ])) as unknown[];
    if (found.length === 0)
      await queryRunner.query('ALTER TABLE tenant_database ADD COLUMN moving_until datetime(3) NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE tenant_database DROP COLUMN moving_until');
    await queryRunner.query('DROP TABLE IF EXISTS database_move');
  }
}

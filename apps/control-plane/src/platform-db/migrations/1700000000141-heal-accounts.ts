import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds requests of gateways to repair a database's accounts, and audit events of workers. */
export class HealAccounts1700000000141 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE IF NOT EXISTS repair_request (
      cell_id varchar(16) NOT NULL,
      database_id varchar(40) NOT NULL,
      requested_at datetime(3) NOT NULL,
      handled_at datetime(3) NULL,
      PRIMARY KEY (cell_id, database_id)
    )`);
    await queryRunner.query(`CREATE TABLE IF NOT EXISTS audit_outbox (
      id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
      cell_id varchar(16) NOT NULL,
      at datetime(3) NOT NULL,
      database_id varchar(40) NOT NULL,
      action varchar(64) NOT NULL,
      target varchar(100) NOT NULL,
      detail json NOT NULL
    )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE IF EXISTS audit_outbox');
    await queryRunner.query('DROP TABLE IF EXISTS repair_request');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the table of audit events that are committed with their change but not yet part of the audit log.
 * Both halves of the platform database have such a table, because a transaction covers one half only.
 */
export class CreateAuditPending1700000000270 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE IF NOT EXISTS audit_pending (
      id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
      cell_id varchar(16) NOT NULL,
      at datetime(3) NOT NULL,
      organization_id varchar(40) NULL,
      project_id varchar(40) NULL,
      account_id varchar(40) NULL,
      action varchar(64) NOT NULL,
      target varchar(100) NOT NULL,
      detail json NULL,
      address varchar(64) NOT NULL,
      request_id varchar(64) NOT NULL,
      KEY audit_pending_cell (cell_id, id)
    )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE IF EXISTS audit_pending');
  }
}

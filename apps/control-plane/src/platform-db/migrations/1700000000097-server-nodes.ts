import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the addresses of a cluster's other nodes. Safe to run again. */
export class ServerNodes1700000000097 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const found = (await queryRunner.query(`SHOW COLUMNS FROM server WHERE Field = 'nodes'`)) as unknown[];
    if (found.length === 0) await queryRunner.query('ALTER TABLE server ADD COLUMN nodes json NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE server DROP COLUMN nodes');
  }
}

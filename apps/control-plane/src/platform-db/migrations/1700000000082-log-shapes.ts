import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the parameters of slow list requests to the request log, as column names. */
export class LogShapes1700000000082 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const found = (await queryRunner.query('SHOW COLUMNS FROM request_log WHERE Field = ?', [
      'shape',
    ])) as unknown[];
    if (found.length === 0)
      await queryRunner.query('ALTER TABLE request_log ADD COLUMN shape varchar(300) NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE request_log DROP COLUMN shape');
  }
}

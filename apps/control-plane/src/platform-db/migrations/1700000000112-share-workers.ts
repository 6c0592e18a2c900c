import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the creator of the project to tasks, so that tasks are counted by creator. */
export class ShareWorkers1700000000112 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const found = (await queryRunner.query('SHOW COLUMNS FROM task WHERE Field = ?', [
      'account_id',
    ])) as unknown[];
    if (found.length === 0)
      await queryRunner.query('ALTER TABLE task ADD COLUMN account_id varchar(40) NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE task DROP COLUMN account_id');
  }
}

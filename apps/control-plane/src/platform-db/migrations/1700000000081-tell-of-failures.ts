import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the time when the failure of a migration was reported by email. */
export class TellOfFailures1700000000081 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const found = (await queryRunner.query('SHOW COLUMNS FROM migration WHERE Field = ?', [
      'told_at',
    ])) as unknown[];
    if (found.length === 0)
      await queryRunner.query('ALTER TABLE migration ADD COLUMN told_at datetime(3) NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE migration DROP COLUMN told_at');
  }
}

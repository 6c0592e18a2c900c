import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds a reference from a revision to the earlier revision that it restores. */
export class RestoreRevisions1700000000090 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const found = (await queryRunner.query('SHOW COLUMNS FROM working_schema WHERE Field = ?', [
      'restores',
    ])) as unknown[];
    if (found.length === 0)
      await queryRunner.query('ALTER TABLE working_schema ADD COLUMN restores int unsigned NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE working_schema DROP COLUMN restores');
  }
}

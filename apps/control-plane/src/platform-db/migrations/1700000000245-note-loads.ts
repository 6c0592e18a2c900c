import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the notes of a load about adjusted values, foreign keys without a target row, and triggers that ran.
 */
export class NoteLoads1700000000245 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const found = (await queryRunner.query('SHOW COLUMNS FROM transfer_load WHERE Field = ?', [
      'notes',
    ])) as unknown[];
    if (found.length === 0) await queryRunner.query('ALTER TABLE transfer_load ADD COLUMN notes json NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE transfer_load DROP COLUMN notes');
  }
}

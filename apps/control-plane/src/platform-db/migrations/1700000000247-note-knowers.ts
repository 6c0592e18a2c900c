import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the accounts whose users know an earlier password of a connection. An overlap leaves their sessions
 * open.
 */
export class NoteKnowers1700000000247 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const found = (await queryRunner.query('SHOW COLUMNS FROM connection_user WHERE Field = ?', [
      'known_by',
    ])) as unknown[];
    if (found.length === 0)
      await queryRunner.query('ALTER TABLE connection_user ADD COLUMN known_by json NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE connection_user DROP COLUMN known_by');
  }
}

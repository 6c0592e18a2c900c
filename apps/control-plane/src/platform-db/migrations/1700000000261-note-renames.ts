import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds how the text of a revision is interpreted, and which renames its author declared. */
export class NoteRenames1700000000261 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const found = (await queryRunner.query('SHOW COLUMNS FROM working_schema WHERE Field = ?', [
      'renames',
    ])) as unknown[];
    if (found.length === 0)
      await queryRunner.query(
        'ALTER TABLE working_schema ADD COLUMN mode varchar(8) NULL, ADD COLUMN renames mediumtext NULL',
      );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE working_schema DROP COLUMN mode, DROP COLUMN renames');
  }
}

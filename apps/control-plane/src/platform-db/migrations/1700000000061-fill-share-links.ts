import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds columns with which share links refer to a file. Each statement is safe to run again. */
const COLUMNS: readonly (readonly [name: string, definition: string])[] = [
  ['file_id', "varchar(40) NOT NULL DEFAULT ''"],
  ['name', "varchar(100) NOT NULL DEFAULT ''"],
  ['clones', 'int unsigned NOT NULL DEFAULT 0'],
];

export class FillShareLinks1700000000061 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, definition] of COLUMNS) {
      const found = (await queryRunner.query('SHOW COLUMNS FROM share_link WHERE Field = ?', [
        name,
      ])) as unknown[];
      if (found.length === 0)
        await queryRunner.query(`ALTER TABLE share_link ADD COLUMN ${name} ${definition}`);
    }
    const found = (await queryRunner.query('SHOW INDEX FROM share_link WHERE Key_name = ?', [
      'share_link_project',
    ])) as unknown[];
    if (found.length === 0)
      await queryRunner.query('ALTER TABLE share_link ADD INDEX share_link_project (project_id, created_at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE share_link DROP INDEX share_link_project');
    for (const [name] of COLUMNS) await queryRunner.query(`ALTER TABLE share_link DROP COLUMN ${name}`);
  }
}

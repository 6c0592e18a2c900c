import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds an index for counting projects by creator. */
export class CountGlobalProjects1700000000111 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const found = (await queryRunner.query(
      "SHOW INDEX FROM project WHERE Key_name = 'project_maker'",
    )) as unknown[];
    if (found.length === 0) await queryRunner.query('CREATE INDEX project_maker ON project (created_by)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX project_maker ON project');
  }
}

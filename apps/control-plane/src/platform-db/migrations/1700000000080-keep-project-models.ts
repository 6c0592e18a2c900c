import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the language models of projects. Their API keys are encrypted. */
export class KeepProjectModels1700000000080 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE IF NOT EXISTS project_model (
         project_id varchar(40) NOT NULL,
         cell_id varchar(16) NOT NULL,
         base_url varchar(500) NOT NULL,
         model varchar(200) NOT NULL,
         key_sealed varbinary(2000) NULL,
         version bigint unsigned NOT NULL,
         updated_by varchar(40) NOT NULL,
         updated_at datetime(3) NOT NULL,
         PRIMARY KEY (project_id)
       )`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE IF EXISTS project_model');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Synonyms of projects, and the state of each database's value index. */
const CREATE_QUESTION_TABLES: readonly string[] = [
  // `column_name` is empty for a synonym of the table itself.
  `CREATE TABLE IF NOT EXISTS synonym (
     id varchar(40) NOT NULL,
     cell_id varchar(16) NOT NULL,
     project_id varchar(40) NOT NULL,
     phrase varchar(80) NOT NULL,
     table_name varchar(64) NOT NULL,
     column_name varchar(64) NOT NULL DEFAULT '',
     created_by varchar(40) NOT NULL,
     created_at datetime(3) NOT NULL,
     PRIMARY KEY (id),
     UNIQUE KEY synonym_meaning (project_id, phrase, table_name, column_name)
   )`,
  // Only sizes and times are stored here. The values are in the internal schema of their database.
  `CREATE TABLE IF NOT EXISTS value_index (
     database_id varchar(40) NOT NULL,
     cell_id varchar(16) NOT NULL,
     version bigint unsigned NOT NULL DEFAULT 0,
     due_at datetime(3) NULL,
     checked_at datetime(3) NULL,
     took_ms int unsigned NOT NULL DEFAULT 0,
     columns_count int unsigned NOT NULL DEFAULT 0,
     values_count int unsigned NOT NULL DEFAULT 0,
     bytes int unsigned NOT NULL DEFAULT 0,
     lease_owner varchar(64) NULL,
     lease_expires_at datetime(3) NULL,
     PRIMARY KEY (database_id),
     KEY value_index_due (cell_id, due_at)
   )`,
];

export class ReadQuestions1700000000040 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of CREATE_QUESTION_TABLES) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of ['value_index', 'synonym']) await queryRunner.query(`DROP TABLE IF EXISTS ${name}`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The question history, accepted questions, saved queries, and the use of language models. */
const STATEMENTS: readonly string[] = [
  // Gateways write these rows, which are retained for 30 days. `verdict` is `accepted`, `rejected`, or NULL
  // without feedback.
  `CREATE TABLE IF NOT EXISTS question_log (
     id varchar(40) NOT NULL,
     cell_id varchar(16) NOT NULL,
     database_id varchar(40) NOT NULL,
     key_id varchar(40) NOT NULL,
     at datetime(3) NOT NULL,
     question text NOT NULL,
     sql_text text NULL,
     source varchar(8) NOT NULL,
     code varchar(40) NOT NULL,
     duration_ms int unsigned NOT NULL,
     tokens int unsigned NOT NULL,
     repairs tinyint unsigned NOT NULL,
     request_id varchar(64) NOT NULL,
     verdict varchar(10) NULL,
     PRIMARY KEY (id),
     KEY question_log_database (database_id, at, id),
     KEY question_log_time (cell_id, at)
   )`,
  `CREATE TABLE IF NOT EXISTS accepted_question (
     id varchar(40) NOT NULL,
     cell_id varchar(16) NOT NULL,
     database_id varchar(40) NOT NULL,
     question_hash char(64) NOT NULL,
     question text NOT NULL,
     sql_text text NOT NULL,
     created_by varchar(40) NOT NULL,
     created_at datetime(3) NOT NULL,
     PRIMARY KEY (id),
     UNIQUE KEY accepted_question_text (database_id, question_hash),
     KEY accepted_question_newest (database_id, created_at)
   )`,
  `CREATE TABLE IF NOT EXISTS saved_query (
     id varchar(40) NOT NULL,
     cell_id varchar(16) NOT NULL,
     database_id varchar(40) NOT NULL,
     name varchar(100) NOT NULL,
     kind varchar(8) NOT NULL,
     query mediumtext NOT NULL,
     created_by varchar(40) NOT NULL,
     created_at datetime(3) NOT NULL,
     updated_at datetime(3) NOT NULL,
     PRIMARY KEY (id),
     UNIQUE KEY saved_query_name (database_id, name)
   )`,
  `CREATE TABLE IF NOT EXISTS model_use_day (
     cell_id varchar(16) NOT NULL,
     project_id varchar(40) NOT NULL,
     day date NOT NULL,
     database_id varchar(40) NOT NULL,
     questions int unsigned NOT NULL DEFAULT 0,
     requests int unsigned NOT NULL DEFAULT 0,
     tokens_in bigint unsigned NOT NULL DEFAULT 0,
     tokens_out bigint unsigned NOT NULL DEFAULT 0,
     repairs int unsigned NOT NULL DEFAULT 0,
     failures int unsigned NOT NULL DEFAULT 0,
     PRIMARY KEY (project_id, day, database_id),
     KEY model_use_day_age (cell_id, day)
   )`,
];

/** Unused tables of the first schema. Each is recognized by one of its columns. */
const BEFORE: readonly (readonly [table: string, column: string])[] = [
  ['saved_query', 'body'],
  ['accepted_question', 'statement'],
];

export class KeepQuestions1700000000050 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, column] of BEFORE) {
      const tables = (await queryRunner.query('SHOW TABLES LIKE ?', [table])) as unknown[];
      if (tables.length === 0) continue;
      const found = (await queryRunner.query(`SHOW COLUMNS FROM ${table} WHERE Field = ?`, [
        column,
      ])) as unknown[];
      if (found.length > 0) await queryRunner.query(`DROP TABLE ${table}`);
    }
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['model_use_day', 'saved_query', 'accepted_question', 'question_log'])
      await queryRunner.query(`DROP TABLE IF EXISTS ${table}`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Export files, each with a schema and chunks of rows, and imports of such files into databases. */
const STATEMENTS: readonly string[] = [
  // `generation` changes with each attempt to write a file, which invalidates the chunks of earlier attempts.
  // `schema_body` is a compressed snapshot, and `manifest` is the JSON of TransferManifest.
  `CREATE TABLE IF NOT EXISTS transfer_file (
     id varchar(40) NOT NULL,
     cell_id varchar(16) NOT NULL,
     project_id varchar(40) NOT NULL,
     database_id varchar(40) NULL,
     kind varchar(16) NOT NULL,
     state varchar(16) NOT NULL DEFAULT 'writing',
     generation int unsigned NOT NULL DEFAULT 0,
     chunks int unsigned NOT NULL DEFAULT 0,
     content_hash char(64) NOT NULL DEFAULT '',
     schema_body longblob NULL,
     manifest longtext NULL,
     revision int unsigned NULL,
     bytes bigint unsigned NOT NULL DEFAULT 0,
     rows_total bigint unsigned NOT NULL DEFAULT 0,
     error json NULL,
     created_by varchar(40) NOT NULL,
     created_at datetime(3) NOT NULL,
     finished_at datetime(3) NULL,
     expires_at datetime(3) NULL,
     PRIMARY KEY (id),
     KEY transfer_file_project (project_id, created_at),
     KEY transfer_file_expiry (cell_id, expires_at)
   )`,
  // Each body is a separate gzip member, so consecutive chunks form one gzip file.
  `CREATE TABLE IF NOT EXISTS transfer_chunk (
     cell_id varchar(16) NOT NULL,
     file_id varchar(40) NOT NULL,
     generation int unsigned NOT NULL,
     ordinal int unsigned NOT NULL,
     table_name varchar(64) NOT NULL,
     rows_count int unsigned NOT NULL,
     body longblob NOT NULL,
     PRIMARY KEY (file_id, generation, ordinal)
   )`,
  `CREATE TABLE IF NOT EXISTS transfer_load (
     id varchar(40) NOT NULL,
     cell_id varchar(16) NOT NULL,
     project_id varchar(40) NOT NULL,
     database_id varchar(40) NOT NULL,
     file_id varchar(40) NOT NULL,
     kind varchar(16) NOT NULL,
     state varchar(16) NOT NULL DEFAULT 'queued',
     chunks_done int unsigned NOT NULL DEFAULT 0,
     rows_done bigint unsigned NOT NULL DEFAULT 0,
     rows_total bigint unsigned NOT NULL DEFAULT 0,
     error json NULL,
     created_by varchar(40) NOT NULL,
     created_at datetime(3) NOT NULL,
     started_at datetime(3) NULL,
     finished_at datetime(3) NULL,
     PRIMARY KEY (id),
     KEY transfer_load_database (database_id, created_at),
     KEY transfer_load_file (file_id, state)
   )`,
];

export class TransferData1700000000060 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['transfer_load', 'transfer_chunk', 'transfer_file'])
      await queryRunner.query(`DROP TABLE IF EXISTS ${table}`);
  }
}

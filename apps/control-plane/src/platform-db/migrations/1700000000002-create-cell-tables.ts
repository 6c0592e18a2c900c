import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The tables of one cell: servers, databases, keys, the migration journal, the change log and leases. No
 * table has a foreign key or a join to the global tables. The gateway and the worker use the tables through
 * `libs/platform-store`. All times come from the clock of the platform database.
 */
const CREATE_CELL_TABLES: readonly string[] = [
  // A server with the MySQL protocol that hosts databases. Credentials are encrypted for the worker's key
  // pair.
  `CREATE TABLE IF NOT EXISTS server (
     id varchar(40) NOT NULL,
     cell_id varchar(16) NOT NULL,
     name varchar(100) NOT NULL,
     host varchar(255) NOT NULL,
     port int unsigned NOT NULL,
     public_host varchar(255) NOT NULL,
     public_port int unsigned NOT NULL,
     tls varchar(16) NOT NULL DEFAULT 'off',
     engine varchar(16) NOT NULL DEFAULT 'mariadb',
     engine_version varchar(64) NOT NULL DEFAULT '',
     capabilities json NULL,
     state varchar(16) NOT NULL DEFAULT 'active',
     databases_max int unsigned NOT NULL DEFAULT 5000,
     connections_max int unsigned NOT NULL DEFAULT 400,
     provisioner_sealed varbinary(1024) NOT NULL,
     observer_sealed varbinary(1024) NOT NULL,
     created_at datetime(3) NOT NULL,
     PRIMARY KEY (id),
     UNIQUE KEY server_name (cell_id, name)
   )`,
  // One environment of a project. snapshot_number refers to the deployed schema and only increases.
  `CREATE TABLE IF NOT EXISTS tenant_database (
     id varchar(40) NOT NULL,
     cell_id varchar(16) NOT NULL,
     project_id varchar(40) NOT NULL,
     project_name varchar(100) NOT NULL,
     environment varchar(32) NOT NULL,
     schema_name varchar(40) NOT NULL,
     slot int unsigned NOT NULL,
     server_id varchar(40) NOT NULL,
     generation int unsigned NOT NULL DEFAULT 1,
     location_state varchar(16) NOT NULL DEFAULT 'live',
     provision_state varchar(16) NOT NULL DEFAULT 'pending',
     docs_slug varchar(64) NOT NULL,
     settings json NOT NULL,
     snapshot_number bigint unsigned NOT NULL DEFAULT 0,
     snapshot_hash char(64) NOT NULL DEFAULT '',
     version bigint unsigned NOT NULL DEFAULT 1,
     created_at datetime(3) NOT NULL,
     deleted_at datetime(3) NULL,
     PRIMARY KEY (id),
     UNIQUE KEY tenant_database_schema (schema_name),
     UNIQUE KEY tenant_database_docs (docs_slug),
     UNIQUE KEY tenant_database_environment (project_id, environment),
     KEY tenant_database_server (server_id)
   )`,
  // The platform's accounts on the tenant's server: rows, query (one per set of rights) and migrator.
  `CREATE TABLE IF NOT EXISTS database_account (
     database_id varchar(40) NOT NULL,
     kind varchar(16) NOT NULL,
     rights_hash char(64) NOT NULL DEFAULT '',
     cell_id varchar(16) NOT NULL,
     user_name varchar(32) NOT NULL,
     secret_sealed varbinary(512) NOT NULL,
     rights json NULL,
     created_at datetime(3) NOT NULL,
     PRIMARY KEY (database_id, kind, rights_hash),
     UNIQUE KEY database_account_user (user_name)
   )`,
  `CREATE TABLE IF NOT EXISTS api_key (
     id varchar(40) NOT NULL,
     cell_id varchar(16) NOT NULL,
     database_id varchar(40) NOT NULL,
     lineage_id varchar(40) NOT NULL,
     kind varchar(16) NOT NULL DEFAULT 'api',
     name varchar(100) NOT NULL,
     key_hash binary(32) NOT NULL,
     last4 char(4) NOT NULL,
     scopes json NOT NULL,
     tables json NULL,
     rights_hash char(64) NOT NULL DEFAULT '',
     origins json NULL,
     rate json NULL,
     created_by varchar(40) NOT NULL,
     created_at datetime(3) NOT NULL,
     expires_at datetime(3) NULL,
     revoked_at datetime(3) NULL,
     last_used_at datetime(3) NULL,
     PRIMARY KEY (id),
     UNIQUE KEY api_key_hash (key_hash),
     KEY api_key_database (database_id, created_at)
   )`,
  // The account of a direct connection on the server, for a user or a program. The password is never stored.
  `CREATE TABLE IF NOT EXISTS connection_user (
     id varchar(40) NOT NULL,
     cell_id varchar(16) NOT NULL,
     database_id varchar(40) NOT NULL,
     name varchar(100) NOT NULL,
     role varchar(16) NOT NULL,
     user_name varchar(32) NOT NULL,
     created_by varchar(40) NOT NULL,
     created_at datetime(3) NOT NULL,
     expires_at datetime(3) NULL,
     revoked_at datetime(3) NULL,
     PRIMARY KEY (id),
     UNIQUE KEY connection_user_name (user_name),
     KEY connection_user_database (database_id, created_at)
   )`,
  // The draft. Each change is a revision, and the newest is the working schema.
  `CREATE TABLE IF NOT EXISTS working_schema (
     project_id varchar(40) NOT NULL,
     revision int unsigned NOT NULL,
     cell_id varchar(16) NOT NULL,
     snapshot longtext NOT NULL,
     statements mediumtext NOT NULL,
     created_by varchar(40) NOT NULL,
     created_at datetime(3) NOT NULL,
     PRIMARY KEY (project_id, revision)
   )`,
  `CREATE TABLE IF NOT EXISTS snapshot_content (
     content_hash char(64) NOT NULL,
     cell_id varchar(16) NOT NULL,
     body longblob NOT NULL,
     created_at datetime(3) NOT NULL,
     PRIMARY KEY (content_hash)
   )`,
  `CREATE TABLE IF NOT EXISTS snapshot (
     database_id varchar(40) NOT NULL,
     number bigint unsigned NOT NULL,
     cell_id varchar(16) NOT NULL,
     content_hash char(64) NOT NULL,
     state varchar(16) NOT NULL DEFAULT 'published',
     origin varchar(16) NOT NULL,
     migration_id varchar(40) NULL,
     created_at datetime(3) NOT NULL,
     PRIMARY KEY (database_id, number)
   )`,
  // The migration journal: one row per migration and one per step. Claims compare and set lease_owner and
  // fencing_token.
  `CREATE TABLE IF NOT EXISTS migration (
     id varchar(40) NOT NULL,
     cell_id varchar(16) NOT NULL,
     project_id varchar(40) NOT NULL,
     database_id varchar(40) NOT NULL,
     server_id varchar(40) NOT NULL,
     revision int unsigned NOT NULL,
     state varchar(24) NOT NULL,
     base_number bigint unsigned NOT NULL,
     published_number bigint unsigned NULL,
     plan longtext NOT NULL,
     plan_hash char(64) NOT NULL,
     target_hash char(64) NOT NULL,
     attempt int unsigned NOT NULL DEFAULT 0,
     lease_owner varchar(64) NULL,
     lease_expires_at datetime(3) NULL,
     fencing_token bigint unsigned NOT NULL DEFAULT 0,
     heartbeat_at datetime(3) NULL,
     progress decimal(5,2) NOT NULL DEFAULT 0,
     error json NULL,
     cancel_requested_at datetime(3) NULL,
     created_by varchar(40) NOT NULL,
     created_at datetime(3) NOT NULL,
     started_at datetime(3) NULL,
     ddl_done_at datetime(6) NULL,
     finished_at datetime(3) NULL,
     PRIMARY KEY (id),
     KEY migration_queue (cell_id, state, created_at),
     KEY migration_database (database_id, created_at)
   )`,
  `CREATE TABLE IF NOT EXISTS migration_step (
     migration_id varchar(40) NOT NULL,
     ordinal int unsigned NOT NULL,
     cell_id varchar(16) NOT NULL,
     kind varchar(32) NOT NULL,
     state varchar(24) NOT NULL DEFAULT 'pending',
     table_name varchar(64) NOT NULL DEFAULT '',
     statement mediumtext NOT NULL,
     strategy varchar(24) NOT NULL DEFAULT '',
     attempt int unsigned NOT NULL DEFAULT 0,
     checkpoint json NULL,
     fingerprint_before char(64) NULL,
     fingerprint_after char(64) NULL,
     started_at datetime(3) NULL,
     finished_at datetime(3) NULL,
     error json NULL,
     PRIMARY KEY (migration_id, ordinal)
   )`,
  // Other work for the worker: provisioning, connections, rights and parsing. Secrets in payloads are
  // encrypted.
  `CREATE TABLE IF NOT EXISTS task (
     id varchar(40) NOT NULL,
     cell_id varchar(16) NOT NULL,
     kind varchar(40) NOT NULL,
     database_id varchar(40) NULL,
     project_id varchar(40) NULL,
     state varchar(16) NOT NULL DEFAULT 'queued',
     payload longtext NOT NULL,
     result longtext NULL,
     error json NULL,
     attempt int unsigned NOT NULL DEFAULT 0,
     lease_owner varchar(64) NULL,
     lease_expires_at datetime(3) NULL,
     fencing_token bigint unsigned NOT NULL DEFAULT 0,
     created_at datetime(3) NOT NULL,
     run_after datetime(3) NOT NULL,
     finished_at datetime(3) NULL,
     PRIMARY KEY (id),
     KEY task_queue (cell_id, state, run_after)
   )`,
  // The ordered change log of a cell. seq has no gaps, because it is taken from the locked row of
  // change_log_head in the writer's transaction.
  `CREATE TABLE IF NOT EXISTS change_log_head (
     cell_id varchar(16) NOT NULL,
     last_seq bigint unsigned NOT NULL,
     PRIMARY KEY (cell_id)
   )`,
  `CREATE TABLE IF NOT EXISTS change_log (
     cell_id varchar(16) NOT NULL,
     seq bigint unsigned NOT NULL,
     database_id varchar(40) NOT NULL,
     kind varchar(16) NOT NULL,
     version bigint unsigned NOT NULL,
     created_at datetime(3) NOT NULL,
     PRIMARY KEY (cell_id, seq),
     KEY change_log_time (cell_id, created_at)
   )`,
  // One row per running gateway: the change log entries that it has applied, and the databases that it still
  // serves with an older snapshot.
  `CREATE TABLE IF NOT EXISTS gateway_lease (
     cell_id varchar(16) NOT NULL,
     gateway_id varchar(40) NOT NULL,
     epoch bigint unsigned NOT NULL,
     applied_through_seq bigint unsigned NOT NULL,
     exceptions json NOT NULL,
     address varchar(255) NOT NULL DEFAULT '',
     renewed_at datetime(3) NOT NULL,
     expires_at datetime(3) NOT NULL,
     PRIMARY KEY (cell_id, gateway_id)
   )`,
  `CREATE TABLE IF NOT EXISTS server_lease (
     cell_id varchar(16) NOT NULL,
     server_id varchar(40) NOT NULL,
     role varchar(16) NOT NULL,
     holder varchar(64) NOT NULL,
     fencing_token bigint unsigned NOT NULL,
     connections int unsigned NOT NULL DEFAULT 0,
     expires_at datetime(3) NOT NULL,
     PRIMARY KEY (cell_id, server_id, role, holder)
   )`,
  // A gateway's request to check a database again. The primary key prevents duplicates.
  `CREATE TABLE IF NOT EXISTS detect_request (
     cell_id varchar(16) NOT NULL,
     database_id varchar(40) NOT NULL,
     requested_at datetime(3) NOT NULL,
     handled_at datetime(3) NULL,
     PRIMARY KEY (cell_id, database_id)
   )`,
  `CREATE TABLE IF NOT EXISTS usage_minute (
     cell_id varchar(16) NOT NULL,
     database_id varchar(40) NOT NULL,
     minute datetime NOT NULL,
     requests bigint unsigned NOT NULL DEFAULT 0,
     errors bigint unsigned NOT NULL DEFAULT 0,
     limited bigint unsigned NOT NULL DEFAULT 0,
     rows_out bigint unsigned NOT NULL DEFAULT 0,
     bytes_out bigint unsigned NOT NULL DEFAULT 0,
     duration_us bigint unsigned NOT NULL DEFAULT 0,
     PRIMARY KEY (cell_id, database_id, minute)
   )`,
  `CREATE TABLE IF NOT EXISTS request_log (
     id bigint unsigned NOT NULL AUTO_INCREMENT,
     cell_id varchar(16) NOT NULL,
     database_id varchar(40) NOT NULL,
     at datetime(3) NOT NULL,
     request_id varchar(64) NOT NULL,
     key_id varchar(40) NULL,
     method varchar(10) NOT NULL,
     route varchar(200) NOT NULL,
     status smallint unsigned NOT NULL,
     code varchar(64) NOT NULL DEFAULT '',
     duration_us int unsigned NOT NULL,
     rows_out int unsigned NOT NULL DEFAULT 0,
     PRIMARY KEY (id),
     KEY request_log_database (database_id, id)
   )`,
  `CREATE TABLE IF NOT EXISTS saved_query (
     id varchar(40) NOT NULL,
     cell_id varchar(16) NOT NULL,
     project_id varchar(40) NOT NULL,
     account_id varchar(40) NOT NULL,
     name varchar(100) NOT NULL,
     body mediumtext NOT NULL,
     created_at datetime(3) NOT NULL,
     PRIMARY KEY (id),
     KEY saved_query_project (project_id)
   )`,
  `CREATE TABLE IF NOT EXISTS accepted_question (
     id varchar(40) NOT NULL,
     cell_id varchar(16) NOT NULL,
     database_id varchar(40) NOT NULL,
     question varchar(1000) NOT NULL,
     statement mediumtext NOT NULL,
     created_by varchar(40) NOT NULL,
     created_at datetime(3) NOT NULL,
     PRIMARY KEY (id),
     KEY accepted_question_database (database_id)
   )`,
  `CREATE TABLE IF NOT EXISTS share_link (
     id varchar(40) NOT NULL,
     cell_id varchar(16) NOT NULL,
     project_id varchar(40) NOT NULL,
     token_hash binary(32) NOT NULL,
     includes_data tinyint(1) NOT NULL DEFAULT 0,
     created_by varchar(40) NOT NULL,
     created_at datetime(3) NOT NULL,
     expires_at datetime(3) NULL,
     revoked_at datetime(3) NULL,
     PRIMARY KEY (id),
     UNIQUE KEY share_link_token (token_hash)
   )`,
];

export class CreateCellTables1700000000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of CREATE_CELL_TABLES) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...CREATE_CELL_TABLES].reverse()) {
      const name = /EXISTS (\w+)/.exec(statement)?.[1];
      if (name) await queryRunner.query(`DROP TABLE IF EXISTS ${name}`);
    }
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The tables that all cells share: accounts, ownership and locations. MySQL commits after each DDL statement,
 * so each statement is safe to run again.
 */
const CREATE_GLOBAL_TABLES: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS cell (
     id varchar(16) NOT NULL,
     name varchar(100) NOT NULL,
     created_at datetime(3) NOT NULL,
     PRIMARY KEY (id)
   )`,
  `CREATE TABLE IF NOT EXISTS slot_range (
     first_slot int unsigned NOT NULL,
     last_slot int unsigned NOT NULL,
     cell_id varchar(16) NOT NULL,
     PRIMARY KEY (first_slot)
   )`,
  `CREATE TABLE IF NOT EXISTS account (
     id varchar(40) NOT NULL,
     email varchar(254) NOT NULL,
     name varchar(100) NOT NULL DEFAULT '',
     password_hash varchar(255) NOT NULL,
     is_operator tinyint(1) NOT NULL DEFAULT 0,
     disabled_at datetime(3) NULL,
     created_at datetime(3) NOT NULL,
     PRIMARY KEY (id),
     UNIQUE KEY account_email (email)
   )`,
  `CREATE TABLE IF NOT EXISTS session (
     id varchar(40) NOT NULL,
     account_id varchar(40) NOT NULL,
     token_hash binary(32) NOT NULL,
     csrf_hash binary(32) NOT NULL,
     user_agent varchar(300) NOT NULL DEFAULT '',
     address varchar(64) NOT NULL DEFAULT '',
     created_at datetime(3) NOT NULL,
     last_seen_at datetime(3) NOT NULL,
     expires_at datetime(3) NOT NULL,
     revoked_at datetime(3) NULL,
     PRIMARY KEY (id),
     UNIQUE KEY session_token (token_hash),
     KEY session_account (account_id)
   )`,
  `CREATE TABLE IF NOT EXISTS personal_access_token (
     id varchar(40) NOT NULL,
     account_id varchar(40) NOT NULL,
     name varchar(100) NOT NULL,
     token_hash binary(32) NOT NULL,
     last4 char(4) NOT NULL,
     expires_at datetime(3) NULL,
     revoked_at datetime(3) NULL,
     last_used_at datetime(3) NULL,
     created_at datetime(3) NOT NULL,
     PRIMARY KEY (id),
     UNIQUE KEY personal_access_token_hash (token_hash),
     KEY personal_access_token_account (account_id)
   )`,
  `CREATE TABLE IF NOT EXISTS organization (
     id varchar(40) NOT NULL,
     name varchar(100) NOT NULL,
     created_at datetime(3) NOT NULL,
     PRIMARY KEY (id)
   )`,
  `CREATE TABLE IF NOT EXISTS membership (
     organization_id varchar(40) NOT NULL,
     account_id varchar(40) NOT NULL,
     role varchar(16) NOT NULL,
     created_at datetime(3) NOT NULL,
     PRIMARY KEY (organization_id, account_id),
     KEY membership_account (account_id)
   )`,
  `CREATE TABLE IF NOT EXISTS invitation (
     id varchar(40) NOT NULL,
     organization_id varchar(40) NOT NULL,
     email varchar(254) NOT NULL,
     role varchar(16) NOT NULL,
     token_hash binary(32) NOT NULL,
     invited_by varchar(40) NOT NULL,
     expires_at datetime(3) NOT NULL,
     accepted_at datetime(3) NULL,
     created_at datetime(3) NOT NULL,
     PRIMARY KEY (id),
     UNIQUE KEY invitation_token (token_hash),
     KEY invitation_organization (organization_id)
   )`,
  `CREATE TABLE IF NOT EXISTS project (
     id varchar(40) NOT NULL,
     organization_id varchar(40) NOT NULL,
     cell_id varchar(16) NOT NULL,
     name varchar(100) NOT NULL,
     starter varchar(32) NOT NULL DEFAULT 'empty',
     created_by varchar(40) NOT NULL,
     created_at datetime(3) NOT NULL,
     deleted_at datetime(3) NULL,
     PRIMARY KEY (id),
     KEY project_organization (organization_id)
   )`,
  `CREATE TABLE IF NOT EXISTS audit_event (
     id bigint unsigned NOT NULL AUTO_INCREMENT,
     at datetime(3) NOT NULL,
     organization_id varchar(40) NULL,
     project_id varchar(40) NULL,
     account_id varchar(40) NULL,
     action varchar(64) NOT NULL,
     target varchar(100) NOT NULL DEFAULT '',
     detail json NULL,
     address varchar(64) NOT NULL DEFAULT '',
     request_id varchar(64) NOT NULL DEFAULT '',
     PRIMARY KEY (id),
     KEY audit_event_organization (organization_id, id),
     KEY audit_event_project (project_id, id)
   )`,
  `CREATE TABLE IF NOT EXISTS platform_setting (
     name varchar(64) NOT NULL,
     value varchar(1000) NOT NULL,
     updated_at datetime(3) NOT NULL,
     PRIMARY KEY (name)
   )`,
];

export class CreateGlobalTables1700000000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of CREATE_GLOBAL_TABLES) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...CREATE_GLOBAL_TABLES].reverse()) {
      const name = /EXISTS (\w+)/.exec(statement)?.[1];
      if (name) await queryRunner.query(`DROP TABLE IF EXISTS ${name}`);
    }
  }
}

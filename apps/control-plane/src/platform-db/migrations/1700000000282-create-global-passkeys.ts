import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the table of passkeys, with which members sign in without a password. */
export class CreateGlobalPasskeys1700000000282 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE IF NOT EXISTS passkey (
      id varchar(40) NOT NULL,
      account_id varchar(40) NOT NULL,
      name varchar(100) NOT NULL,
      credential_hash binary(32) NOT NULL,
      credential_id varbinary(1024) NOT NULL,
      public_key varbinary(4096) NOT NULL,
      sign_count int unsigned NOT NULL,
      created_at datetime(3) NOT NULL,
      last_used_at datetime(3) NULL,
      PRIMARY KEY (id),
      UNIQUE KEY passkey_credential (credential_hash),
      KEY passkey_account (account_id)
    )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE IF EXISTS passkey');
  }
}

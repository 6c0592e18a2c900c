import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the links and the head of the audit log. Earlier events have no link. Each statement is safe to run
 * again.
 */
const COLUMNS: readonly (readonly [name: string, definition: string])[] = [
  ['chain_seq', 'bigint unsigned NULL'],
  ['chain_key', 'char(8) CHARACTER SET ascii COLLATE ascii_bin NULL'],
  ['chain_link', 'binary(32) NULL'],
];

export class ChainGlobalAudit1700000000084 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, definition] of COLUMNS) {
      const found = (await queryRunner.query('SHOW COLUMNS FROM audit_event WHERE Field = ?', [
        name,
      ])) as unknown[];
      if (found.length === 0)
        await queryRunner.query(`ALTER TABLE audit_event ADD COLUMN ${name} ${definition}`);
    }
    const keys = (await queryRunner.query(
      "SHOW INDEX FROM audit_event WHERE Key_name = 'audit_event_chain'",
    )) as unknown[];
    if (keys.length === 0)
      await queryRunner.query('ALTER TABLE audit_event ADD UNIQUE KEY audit_event_chain (chain_seq)');
    await queryRunner.query(
      'CREATE TABLE IF NOT EXISTS audit_head (id tinyint unsigned NOT NULL PRIMARY KEY, seq bigint unsigned NOT NULL, link binary(32) NOT NULL) ENGINE=InnoDB',
    );
    await queryRunner.query('INSERT IGNORE INTO audit_head (id, seq, link) VALUES (1, 0, ?)', [
      Buffer.alloc(32),
    ]);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE audit_head');
    await queryRunner.query('ALTER TABLE audit_event DROP KEY audit_event_chain');
    for (const [name] of COLUMNS) await queryRunner.query(`ALTER TABLE audit_event DROP COLUMN ${name}`);
  }
}

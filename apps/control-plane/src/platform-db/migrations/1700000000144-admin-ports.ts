import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A separate port for workers, whose connections other sessions cannot use up. */
export class AdminPorts1700000000144 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const found = (await queryRunner.query('SHOW COLUMNS FROM server WHERE Field = ?', [
      'admin_port',
    ])) as unknown[];
    if (found.length === 0)
      await queryRunner.query('ALTER TABLE server ADD COLUMN admin_port int unsigned NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE server DROP COLUMN admin_port');
  }
}

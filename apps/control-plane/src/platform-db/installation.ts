import { createHash } from 'node:crypto';
import { fingerprintKey, SLOT_COUNT } from '@rowhouse/credentials';
import type { DataSource, EntityManager } from 'typeorm';
import { PlatformSetting } from './entities/platform-setting.js';

const MASTER_KEY_SETTING = 'master_key_fingerprint';
const PEPPER_SETTING = 'pepper_fingerprint';
const PROJECTS_PER_CHECK = 500;

/** The two secrets without which the data of a platform database cannot be used. */
export interface InstallationSecrets {
  /** The current master key, followed by earlier keys that a rotation has not dropped. */
  readonly masterKeys: readonly [Buffer, ...Buffer[]];
  readonly pepper: Buffer;
}

/**
 * Writes the rows that a cell needs: its own row, its routing slots, and the head of its change log. Safe to
 * run again.
 */
export async function writeCellRows(globalDb: DataSource, cellDb: DataSource, cellId: string): Promise<void> {
  await globalDb.query('INSERT IGNORE INTO cell (id, name, created_at) VALUES (?, ?, UTC_TIMESTAMP(3))', [
    cellId,
    cellId,
  ]);
  await globalDb.query('INSERT IGNORE INTO slot_range (first_slot, last_slot, cell_id) VALUES (0, ?, ?)', [
    SLOT_COUNT - 1,
    cellId,
  ]);
  await cellDb.query('INSERT IGNORE INTO change_log_head (cell_id, last_seq) VALUES (?, 0)', [cellId]);
}

/**
 * Copies the creator of each project to its databases where the column is empty. A join is impossible,
 * because the two halves may be on different servers. Safe to run again.
 */
export async function noteMakers(globalDb: DataSource, cellDb: DataSource, cellId: string): Promise<void> {
  const open = await cellDb.query<{ project_id: string }[]>(
    'SELECT DISTINCT project_id FROM tenant_database WHERE cell_id = ? AND account_id IS NULL',
    [cellId],
  );
  for (let index = 0; index < open.length; index += PROJECTS_PER_CHECK) {
    const ids = open.slice(index, index + PROJECTS_PER_CHECK).map((row) => row.project_id);
    const makers = await globalDb.query<{ id: string; created_by: string }[]>(
      `SELECT id, created_by FROM project WHERE id IN (${ids.map(() => '?').join(', ')})`,
      ids,
    );
    for (const { id, created_by: accountId } of makers)
      await cellDb.query(
        'UPDATE tenant_database SET account_id = ? WHERE project_id = ? AND cell_id = ? AND account_id IS NULL',
        [accountId, id, cellId],
      );
  }
}

/** Stores fingerprints of the secrets on the first run. */
export async function writeFingerprints(globalDb: DataSource, secrets: InstallationSecrets): Promise<void> {
  for (const [name, [value]] of fingerprintsOf(secrets)) {
    await globalDb.query(
      'INSERT IGNORE INTO platform_setting (name, value, updated_at) VALUES (?, ?, UTC_TIMESTAMP(3))',
      [name, value],
    );
  }
}

/** Returns the environment variables whose value does not match the stored fingerprints. */
export async function findForeignSecrets(
  globalDb: DataSource,
  secrets: InstallationSecrets,
): Promise<string[]> {
  const variables: Record<string, string> = {
    [MASTER_KEY_SETTING]: 'ROWHOUSE_MASTER_KEY',
    [PEPPER_SETTING]: 'ROWHOUSE_PEPPER',
  };
  const foreign: string[] = [];
  for (const [name, values] of fingerprintsOf(secrets)) {
    const row = await globalDb.getRepository(PlatformSetting).findOneBy({ name });
    if (row !== null && !values.includes(row.value)) foreign.push(variables[name] ?? name);
  }
  return foreign;
}

/** Stores the fingerprint of the new master key after a rotation. */
export async function replaceFingerprint(manager: EntityManager, masterKey: Buffer): Promise<void> {
  await manager.query('UPDATE platform_setting SET value = ?, updated_at = UTC_TIMESTAMP(3) WHERE name = ?', [
    fingerprintKey(masterKey),
    MASTER_KEY_SETTING,
  ]);
}

function fingerprintsOf(secrets: InstallationSecrets): [string, [string, ...string[]]][] {
  return [
    [
      MASTER_KEY_SETTING,
      [fingerprintKey(secrets.masterKeys[0]), ...secrets.masterKeys.slice(1).map(fingerprintKey)],
    ],
    [
      PEPPER_SETTING,
      [createHash('sha256').update('rowhouse pepper id\0').update(secrets.pepper).digest('hex').slice(0, 8)],
    ],
  ];
}

import { createAuditChain } from '@rowhouse/credentials';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditOutbox } from '../modules/audit/audit-outbox.js';
import { Secrets } from '../platform/secrets.js';
import { startTestControlPlane, type TestControlPlane } from '../testing/start-test-control-plane.js';
import { TestClient } from '../testing/test-client.js';
import { verifyChain, type ChainFindings } from './verify-chain.js';

let plane: TestControlPlane;

beforeAll(async () => {
  plane = await startTestControlPlane();
  const owners = await Promise.all(
    ['one', 'two', 'three'].map(async (name) => {
      const client = new TestClient(plane.app);
      await client.signUp(`${name}@example.test`, { starter: 'empty' });
      return client;
    }),
  );
  // Concurrent events still have one order.
  await Promise.all(
    owners.flatMap((owner) =>
      Array.from({ length: 8 }, (_, index) => owner.post('/api/organizations', { name: `Other ${index}` })),
    ),
  );
}, 60_000);
afterAll(() => plane?.stop());

const verify = (noted: string | null = null, key = plane.config.masterKey.reveal()): Promise<ChainFindings> =>
  verifyChain(
    plane.db.global,
    { current: [createAuditChain(Buffer.from(key, 'base64url'))], earlier: [] },
    noted,
  );
const query = (sql: string, values: unknown[] = []): Promise<unknown> => plane.db.global.query(sql, values);

describe('the audit log', () => {
  it('an unchanged log verifies and returns its head', async () => {
    const findings = await verify();
    expect(findings).toMatchObject({ unchained: 0, faults: [] });
    expect(findings.events).toBeGreaterThanOrEqual(27);
    expect((await verify(findings.head)).faults).toEqual([]);
    expect((await verify('ab'.repeat(32))).faults).toEqual([expect.stringMatching(/head that was noted/)]);
    expect((await verify(null, Buffer.alloc(32, 7).toString('base64url'))).faults[0]).toMatch(/not at hand/);
  });

  it('events of workers are moved once, with the organization of their database', async () => {
    const [database] = await plane.db.cell.query<{ id: string; project_id: string }[]>(
      'SELECT id, project_id FROM tenant_database LIMIT 1',
    );
    const [project] = (await query('SELECT organization_id FROM project WHERE id = ?', [
      database?.project_id,
    ])) as { organization_id: string }[];
    const leave = `INSERT INTO audit_outbox (id, cell_id, at, database_id, action, target, detail) VALUES (77, ?, '2026-01-02 03:04:05.678', ?, 'account.repair', 'pam', '{"actor": "platform"}')`;
    // The second round simulates a control plane that stopped before it deleted the row.
    for (let round = 0; round < 2; round += 1) {
      await plane.db.cell.query(leave, [plane.db.cellId, database?.id]);
      expect(await plane.app.get(AuditOutbox).move()).toBe(1);
    }
    const events = await query(
      "SELECT organization_id, project_id, account_id, target, JSON_UNQUOTE(JSON_EXTRACT(detail, '$.actor')) AS actor FROM audit_event WHERE action = 'account.repair'",
    );
    expect(events).toEqual([
      {
        organization_id: project?.organization_id,
        project_id: database?.project_id,
        account_id: null,
        target: 'pam',
        actor: 'platform',
      },
    ]);
    expect((await verify()).faults).toEqual([]);
    expect(await plane.db.cell.query('SELECT id FROM audit_outbox')).toEqual([]);
  });

  it.each<[string, string, string, RegExp]>([
    [
      'an event is changed',
      "UPDATE audit_event SET target = 'another' WHERE chain_seq = 5",
      'target',
      /event 5 .* was changed/,
    ],
    [
      'its time is',
      'UPDATE audit_event SET at = at - INTERVAL 1 SECOND WHERE chain_seq = 9',
      'at',
      /event 9 .* was changed/,
    ],
    [
      'who did it is',
      "UPDATE audit_event SET account_id = 'acc_somebody' WHERE chain_seq = 3",
      'account_id',
      /event 3 .* was changed/,
    ],
    [
      'an event is taken out',
      'DELETE FROM audit_event WHERE chain_seq = 7',
      '*',
      /1 events are missing before 8/,
    ],
    [
      'the last one is taken out',
      'DELETE FROM audit_event WHERE chain_seq = (SELECT seq FROM audit_head)',
      '*',
      /at the end are missing/,
    ],
    [
      'one is put in',
      "INSERT INTO audit_event (at, action, target) VALUES (NOW(3), 'key.create', 'key_x')",
      '+',
      /1 events were put in/,
    ],
  ])('tells when %s', async (_what, sql, kind, fault) => {
    const before = (await query('SELECT * FROM audit_event')) as Record<string, unknown>[];
    await query(sql);
    expect((await verify()).faults.join('\n')).toMatch(fault);
    await restore(before, kind);
    expect((await verify()).faults).toEqual([]);
  });

  it('a truncated log with a reset head is detected with an earlier head', async () => {
    const { head, events } = await verify();
    const before = (await query('SELECT * FROM audit_event')) as Record<string, unknown>[];
    await query('DELETE FROM audit_event WHERE chain_seq = ?', [events]);
    await query(
      'UPDATE audit_head SET seq = ?, link = (SELECT chain_link FROM audit_event WHERE chain_seq = ?)',
      [events - 1, events - 1],
    );
    expect((await verify()).faults).toEqual([]);
    expect((await verify(head)).faults).toEqual([expect.stringMatching(/head that was noted/)]);
    await restore(before, '*');
    await query('UPDATE audit_head SET seq = ?, link = ?', [events, Buffer.from(head, 'hex')]);
    expect((await verify(head)).faults).toEqual([]);
  });

  it('the chain uses a key of its own', () => {
    expect(new Secrets(plane.config).auditChain.keyId).toMatch(/^[0-9a-f]{8}$/);
  });
});

/** Restores the rows. `kind` is the changed column, `*` a deleted row, or `+` an added row. */
async function restore(before: readonly Record<string, unknown>[], kind: string): Promise<void> {
  if (kind === '+') return void (await query('DELETE FROM audit_event WHERE chain_seq IS NULL'));
  for (const row of before) {
    const names = Object.keys(row);
    if (kind === '*')
      await query(
        `INSERT IGNORE INTO audit_event (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        names.map((name) => toValue(row[name])),
      );
    else await query(`UPDATE audit_event SET ${kind} = ? WHERE id = ?`, [row[kind], row['id']]);
  }
}

function toValue(value: unknown): unknown {
  return value !== null && typeof value === 'object' && !(value instanceof Date) && !Buffer.isBuffer(value)
    ? JSON.stringify(value)
    : value;
}

import { createAuditChain } from '@rowhouse/credentials';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditOutbox } from '../platform/audit-outbox.js';
import { Secrets } from '../platform/secrets.js';
import { startTestControlPlane, type TestControlPlane } from '../testing/start-test-control-plane.js';
import { TestClient, type TestResponse } from '../testing/test-client.js';
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
  it('verifying an unchanged audit log succeeds and returns the head of the log', async () => {
    const findings = await verify();
    expect(findings).toMatchObject({ unchained: 0, faults: [] });
    expect(findings.events).toBeGreaterThanOrEqual(27);
    expect((await verify(findings.head)).faults).toEqual([]);
    expect((await verify('ab'.repeat(32))).faults).toEqual([expect.stringMatching(/recorded head/)]);
    expect((await verify(null, Buffer.alloc(32, 7).toString('base64url'))).faults[0]).toMatch(
      /not available/,
    );
  });

  it("a worker's audit event is moved once to the log of its organization", async () => {
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

  it('a change succeeds while the audit log is unavailable, and its event follows', async () => {
    const owner = new TestClient(plane.app);
    const signup = await owner.signUp('four@example.test', { starter: 'empty' });
    const [database] = signup.json['databases'] as { id: string; project_id: string }[];
    const organization = `/api/organizations/${signup.json['organization'].id}`;
    await query('RENAME TABLE audit_head TO audit_head_away');
    const statuses: Record<string, number> = {};
    const send = async (action: string, response: Promise<TestResponse>): Promise<TestResponse> => {
      const { status } = await response;
      statuses[action] = status;
      return response;
    };
    try {
      const databasePath = `/api/databases/${database?.id}`;
      const key = await send('key.create', owner.post(`${databasePath}/keys`, { name: 'k' }));
      await send('key.rotate', owner.post(`/api/keys/${key.json['id']}/rotate`, {}));
      const user = await send(
        'connection.create',
        owner.post(`${databasePath}/connections`, { name: 'c', role: 'read-only' }),
      );
      const userPath = `/api/connections/${user.json['id']}`;
      const rotated = await send('connection.rotate', owner.post(`${userPath}/rotate`, {}));
      expect([user.json['password'], rotated.json['password']]).not.toContain(undefined);
      await send('connection.revoke', owner.delete(userPath));
      const invited = { email: 'five@example.test', role: 'viewer' };
      await send('invitation.create', owner.post(`${organization}/invitations`, invited));
      await send('token.create', owner.post('/api/tokens', { name: 't' }));
      await send('organization.rename', owner.patch(organization, { name: 'Renamed' }));
      await send(
        'deploy',
        owner.post(`/api/projects/${database?.project_id}/deploy`, {
          sql: 'CREATE TABLE posts (id INT PRIMARY KEY)',
        }),
      );
      await send(
        'auth.login',
        owner.post('/api/auth/login', { email: 'four@example.test', password: 'correct horse battery' }),
      );
    } finally {
      await query('RENAME TABLE audit_head_away TO audit_head');
    }
    expect(Object.entries(statuses).filter(([, status]) => status >= 300)).toEqual([]);
    await plane.app.get(AuditOutbox).flush();
    const events = (await query('SELECT action FROM audit_event WHERE account_id = ?', [
      signup.json['account'].id,
    ])) as { action: string }[];
    expect(events.map(({ action }) => action)).toEqual(expect.arrayContaining(Object.keys(statuses)));
    expect((await verify()).faults).toEqual([]);
  });

  it('a change is rolled back if its audit event cannot be stored', async () => {
    const owner = new TestClient(plane.app);
    const signup = await owner.signUp('six@example.test', { starter: 'empty' });
    const path = `/api/databases/${signup.json['databases'][0].id}/keys`;
    const before = (await owner.get(path)).json['items'] as unknown[];
    await plane.db.cell.query('RENAME TABLE audit_pending TO audit_pending_away');
    const failed = await owner.post(path, { name: 'k' });
    await plane.db.cell.query('RENAME TABLE audit_pending_away TO audit_pending');
    expect([failed.status, (await owner.get(path)).json['items']]).toEqual([500, before]);
  });

  it.each<[string, string, string, RegExp]>([
    [
      'the target of an event is changed',
      "UPDATE audit_event SET target = 'another' WHERE chain_seq = 5",
      'target',
      /event 5 .* was changed/,
    ],
    [
      'the time of an event is changed',
      'UPDATE audit_event SET at = at - INTERVAL 1 SECOND WHERE chain_seq = 9',
      'at',
      /event 9 .* was changed/,
    ],
    [
      'the account of an event is changed',
      "UPDATE audit_event SET account_id = 'acc_somebody' WHERE chain_seq = 3",
      'account_id',
      /event 3 .* was changed/,
    ],
    [
      'an event is deleted',
      'DELETE FROM audit_event WHERE chain_seq = 7',
      '*',
      /1 events are missing before 8/,
    ],
    [
      'the last event is deleted',
      'DELETE FROM audit_event WHERE chain_seq = (SELECT seq FROM audit_head)',
      '*',
      /at the end are missing/,
    ],
    [
      'an event is inserted',
      "INSERT INTO audit_event (at, action, target) VALUES (NOW(3), 'key.create', 'key_x')",
      '+',
      /1 events were added/,
    ],
  ])('verifyChain() reports a fault when %s', async (_what, sql, kind, fault) => {
    const before = (await query('SELECT * FROM audit_event')) as Record<string, unknown>[];
    await query(sql);
    expect((await verify()).faults.join('\n')).toMatch(fault);
    await restore(before, kind);
    expect((await verify()).faults).toEqual([]);
  });

  it('an earlier head reveals that the audit log was truncated', async () => {
    const { head, events } = await verify();
    const before = (await query('SELECT * FROM audit_event')) as Record<string, unknown>[];
    await query('DELETE FROM audit_event WHERE chain_seq = ?', [events]);
    await query(
      'UPDATE audit_head SET seq = ?, link = (SELECT chain_link FROM audit_event WHERE chain_seq = ?)',
      [events - 1, events - 1],
    );
    expect((await verify()).faults).toEqual([]);
    expect((await verify(head)).faults).toEqual([expect.stringMatching(/recorded head/)]);
    await restore(before, '*');
    await query('UPDATE audit_head SET seq = ?, link = ?', [events, Buffer.from(head, 'hex')]);
    expect((await verify(head)).faults).toEqual([]);
  });

  it('the audit log is signed with a separate key', () => {
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

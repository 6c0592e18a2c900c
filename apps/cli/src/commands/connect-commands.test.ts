import { describe, expect, it } from 'vitest';
import { PROJECT, run } from '../testing/run.js';

describe('rowhouse connect', () => {
  const database = { id: 'db_1', environment: 'development', base_url: 'http://127.0.0.1:1' };
  const created = {
    id: 'con_1',
    name: 'mine',
    role: 'read-only',
    host: 'db.example.org',
    port: 3307,
    database: 'p1',
    user: 'u1',
    tls: false,
    ca: null,
    password: 'secret',
    connection_string: 'mysql://u1:secret@db.example.org:3307/p1',
  };
  const answersWith = (own: object) => ({
    'GET /api/projects': { body: { items: [{ ...PROJECT, databases: [database] }] } },
    'POST /api/databases/db_1/connections': { body: { ...created, ...own } },
  });

  it('rowhouse connect prints the connection string to stdout and the client call to stderr', async () => {
    const { code, out, err } = await run(
      ['connect', '-p', 'Blog', '--role', 'read-only'],
      answersWith({}),
      {},
      [],
    );
    expect([code, out]).toEqual([0, 'mysql://u1:secret@db.example.org:3307/p1\n']);
    expect(err).toContain('mariadb --host=db.example.org --port=3307 --user=u1 --password p1\n');
    expect(err).not.toContain('secret');
  });

  it.each([
    [{ tls: true }, '--password --ssl-verify-server-cert p1'],
    [{ tls: true, ca: 'PEM' }, '--password --ssl-ca=rowhouse-ca.pem --ssl-verify-server-cert p1'],
  ])('the printed client call states how the server is verified: %j', async (own, part) => {
    expect(
      (await run(['connect', '-p', 'Blog', '--role', 'read-only'], answersWith(own), {}, [])).err,
    ).toContain(part);
  });

  it('rowhouse connect mentions the certificate in the connection string and can print it', async () => {
    expect(
      (await run(['connect', '-p', 'Blog', '--role', 'read-only'], answersWith({ tls: true, ca: 'PEM' })))
        .err,
    ).toContain('rowhouse connections ca > rowhouse-ca.pem');
    expect(
      (await run(['connect', '-p', 'Blog', '--role', 'read-only'], answersWith({ tls: true }))).err,
    ).not.toContain('connections ca');
    expect(
      await run(['connections', 'ca', '-p', 'Blog'], {
        ...answersWith({}),
        'GET /api/databases/db_1/ca': { body: 'PEM' },
      }),
    ).toMatchObject({ code: 0, out: expect.stringContaining('PEM') });
  });
});

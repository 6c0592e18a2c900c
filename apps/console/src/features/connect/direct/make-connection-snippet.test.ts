import { expect, it } from 'vitest';
import { makeConnectionSnippets } from './make-connection-snippet.js';

const CONNECTION = {
  host: '127.0.0.1',
  port: 3307,
  database: 'pabc',
  user: 'u1',
  password: "a'b/c",
  tls: false,
  ca: null,
  connection_string: '',
};

it('a connection snippet quotes the password for the shell and encodes it for URLs', () => {
  const [mariadb, python, node] = makeConnectionSnippets(CONNECTION, 'mariadb');
  expect(mariadb?.code).toBe(`mariadb --host=127.0.0.1 --port=3307 --user=u1 --password='a'\\''b/c' pabc`);
  expect(python?.code).toContain("mysql+pymysql://u1:a'b%2Fc@127.0.0.1:3307/pabc?charset=utf8mb4");
  expect(node?.code).toContain("mysql://u1:a'b%2Fc@127.0.0.1:3307/pabc");
});

it('a connection snippet requires TLS if the server does, and names a private CA', () => {
  const read = (ca: string | null): string[] =>
    makeConnectionSnippets({ ...CONNECTION, tls: true, ca }, null).map((snippet) => snippet.code);
  expect(read('PEM')).toEqual([
    expect.stringContaining('--ssl-ca=rowhouse-ca.pem --ssl-verify-server-cert'),
    expect.stringContaining('connect_args={"ssl": {"ca": "rowhouse-ca.pem"}}'),
    expect.stringContaining('ssl: { ca: readFileSync("rowhouse-ca.pem") }'),
  ]);
  expect(read(null)).toEqual([
    expect.stringContaining('--ssl-verify-server-cert'),
    expect.stringContaining('ssl.create_default_context()'),
    expect.stringContaining('ssl: { verifyIdentity: true }'),
  ]);
});

it('a connection snippet uses the command of the engine', () => {
  const [mysql] = makeConnectionSnippets({ ...CONNECTION, tls: true, ca: 'PEM' }, 'mysql');
  expect(mysql).toMatchObject({
    label: 'mysql',
    code: expect.stringMatching(/^mysql .* --ssl-ca=rowhouse-ca\.pem --ssl-mode=VERIFY_CA pabc$/),
  });
});

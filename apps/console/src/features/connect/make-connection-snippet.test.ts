import { expect, it } from 'vitest';
import { makeConnectionSnippets } from './make-connection-snippet.js';

const CONNECTION = { host: '127.0.0.1', port: 3307, database: 'pabc', user: 'u1', password: "a'b/c", tls: false, connection_string: '' };

it('quotes the password for the shell and encodes it for addresses', () => {
  const [mariadb, python, node] = makeConnectionSnippets(CONNECTION);
  expect(mariadb?.code).toBe(`mariadb --host=127.0.0.1 --port=3307 --user=u1 --password='a'\\''b/c' pabc`);
  expect(python?.code).toContain("mysql+pymysql://u1:a'b%2Fc@127.0.0.1:3307/pabc?charset=utf8mb4");
  expect(node?.code).toContain("mysql://u1:a'b%2Fc@127.0.0.1:3307/pabc");
});

it('asks for TLS where the server does', () => {
  const codes = makeConnectionSnippets({ ...CONNECTION, tls: true }).map((snippet) => snippet.code);
  expect(codes[0]).toContain('--ssl');
  expect(codes[1]).toContain('"ssl": {}');
  expect(codes[2]).toContain('?ssl={}');
});

import type { CreatedConnectionResponse, DatabaseResponse } from '@rowhouse/contracts';
import { CA_FILE_NAME } from '@rowhouse/contracts/constants';
import type { Snippet } from '../../../ui/code/snippet-tabs.js';
import { quoteForShell } from '@rowhouse/emitters/quote-for-shell';

export type Connection = Pick<
  CreatedConnectionResponse,
  'host' | 'port' | 'database' | 'user' | 'tls' | 'ca' | 'connection_string' | 'password'
>;

/**
 * Returns code examples that open a connection with the engine's command-line client and with common drivers.
 */
export function makeConnectionSnippets(
  connection: Connection,
  engine: DatabaseResponse['engine'],
): Snippet[] {
  const { host, port, database, user, password } = connection;
  const address = `${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}:${port}/${database}`;
  const tls = makeTlsParts(connection);
  const command = engine === 'mysql' ? 'mysql' : 'mariadb';
  return [
    {
      label: command,
      language: 'bash',
      code: `${command} --host=${host} --port=${port} --user=${user} --password=${quoteForShell(password)}${tls[command]} ${database}`,
    },
    {
      label: 'SQLAlchemy',
      language: 'python',
      code: `${tls.pythonImport}from sqlalchemy import create_engine\n\nengine = create_engine("mysql+pymysql://${address}?charset=utf8mb4"${tls.python})`,
    },
    {
      label: 'Node.js',
      language: 'javascript',
      code: `${tls.nodeImport}import { createPool } from "mysql2/promise";\n\nconst pool = createPool(${tls.node === '' ? `"mysql://${address}"` : `{ uri: "mysql://${address}", ssl: ${tls.node} }`});`,
    },
  ];
}

interface TlsParts {
  readonly mariadb: string;
  readonly mysql: string;
  readonly pythonImport: string;
  readonly python: string;
  readonly nodeImport: string;
  readonly node: string;
}

function makeTlsParts({ tls, ca }: Connection): TlsParts {
  if (!tls) return { mariadb: '', mysql: '', pythonImport: '', python: '', nodeImport: '', node: '' };
  if (ca === null)
    return {
      mariadb: ' --ssl-verify-server-cert',
      mysql: ' --ssl-mode=VERIFY_IDENTITY --ssl-ca=/etc/ssl/certs/ca-certificates.crt',
      pythonImport: 'import ssl\n\n',
      python: ', connect_args={"ssl": ssl.create_default_context()}',
      nodeImport: '',
      node: '{ verifyIdentity: true }',
    };
  return {
    mariadb: ` --ssl-ca=${CA_FILE_NAME} --ssl-verify-server-cert`,
    mysql: ` --ssl-ca=${CA_FILE_NAME} --ssl-mode=VERIFY_CA`,
    pythonImport: '',
    python: `, connect_args={"ssl": {"ca": "${CA_FILE_NAME}"}}`,
    nodeImport: 'import { readFileSync } from "node:fs";\n',
    node: `{ ca: readFileSync("${CA_FILE_NAME}") }`,
  };
}

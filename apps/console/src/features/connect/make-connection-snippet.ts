import type { CreatedConnectionAnswer } from '@rowhouse/contracts';
import type { Snippet } from '../../ui/snippet-tabs.js';
import { quoteForShell } from '../snippets/make-call-snippet.js';

export type Connection = Pick<CreatedConnectionAnswer, 'host' | 'port' | 'database' | 'user' | 'tls' | 'connection_string' | 'password'>;

/** The same connection for the command line and for common drivers. */
export function makeConnectionSnippets(connection: Connection): Snippet[] {
  const { host, port, database, user, password, tls } = connection;
  const address = `${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}:${port}/${database}`;
  return [
    {
      label: 'mariadb',
      language: 'bash',
      code: `mariadb --host=${host} --port=${port} --user=${user} --password=${quoteForShell(password)}${tls ? ' --ssl' : ''} ${database}`,
    },
    {
      label: 'SQLAlchemy',
      language: 'python',
      code: `from sqlalchemy import create_engine\n\nengine = create_engine("mysql+pymysql://${address}?charset=utf8mb4"${tls ? ', connect_args={"ssl": {}}' : ''})`,
    },
    {
      label: 'Node.js',
      language: 'javascript',
      code: `import { createPool } from "mysql2/promise";\n\nconst pool = createPool("mysql://${address}${tls ? '?ssl={}' : ''}");`,
    },
  ];
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import mysql from 'mysql2/promise';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { writeBlog, type Blog } from '../../support/schemas/blog.mjs';
import { createConnection, signUp, type TestUser } from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { findMariadbClient, readProduct } from '../../support/product.mjs';
import { waitFor } from '../../support/wait.mjs';

const run = promisify(execFile);

describe('direct connections', () => {
  const product = readProduct();
  let user: TestUser;
  let blog: Blog;
  const open: mysql.Connection[] = [];

  const connect = async (uri: string): Promise<mysql.Connection> => {
    const connection = await mysql.createConnection(uri);
    connection.on('error', () => undefined);
    open.push(connection);
    return connection;
  };

  beforeAll(async () => {
    user = await signUp(product.control);
    blog = await writeBlog(openApi(product.gateways[0], user.key), 'direct');
  });

  afterEach(() => {
    for (const connection of open.splice(0)) connection.destroy();
  });

  it('a connection string works and is shown once', async () => {
    const created = await createConnection(user, { name: 'reports', role: 'read-only' });
    expect(created).toMatchObject({
      role: 'read-only',
      host: expect.any(String),
      port: expect.any(Number),
      database: expect.any(String),
      user: expect.any(String),
      password: expect.any(String),
    });
    const url = new URL(created.connection_string);
    expect(url.protocol).toBe('mysql:');
    expect({
      host: url.hostname,
      port: Number(url.port),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database: url.pathname.slice(1),
    }).toEqual({
      host: created.host,
      port: created.port,
      user: created.user,
      password: created.password,
      database: created.database,
    });
    const connection = await connect(created.connection_string);
    const [rows] = await connection.query('SELECT title FROM posts ORDER BY id LIMIT 1');
    expect(rows).toEqual([{ title: blog.posts.first.title }]);
    const list = await user.control.call('GET', `/api/databases/${user.development.id}/connections`);
    expect(list.text).toContain(created.id);
    expect(list.text).not.toContain(created.password);
  });

  it('the mariadb client connects with a connection string', async () => {
    const client = findMariadbClient();
    if (client === null)
      throw new Error(
        'no mariadb client was found: the launcher unpacks one, or install mariadb-client-core',
      );
    const created = await createConnection(user, { name: 'shell', role: 'read-write' });
    const { stdout } = await run(
      client.path,
      [
        `--host=${created.host}`,
        `--port=${created.port}`,
        `--user=${created.user}`,
        `--password=${created.password}`,
        '--protocol=tcp',
        '--batch',
        '--skip-column-names',
        created.database,
        '-e',
        'SELECT COUNT(*) FROM posts',
      ],
      { env: { ...process.env, ...client.env } },
    );
    expect(stdout.trim()).toBe('3');
  });

  it('a direct connection may run exactly the statements of its role', async () => {
    const reader = await connect(
      (await createConnection(user, { name: 'r', role: 'read-only' })).connection_string,
    );
    for (const statement of [
      "INSERT INTO tags (name) VALUES ('x')",
      'UPDATE posts SET title = title',
      'DELETE FROM comments',
      'CREATE TABLE x (id int)',
      'DROP TABLE tags',
    ]) {
      await expect(reader.query(statement), statement).rejects.toMatchObject({ errno: 1142 });
    }
    const writer = await connect(
      (await createConnection(user, { name: 'w', role: 'read-write' })).connection_string,
    );
    await writer.query("INSERT INTO tags (name) VALUES ('by hand')");
    await expect(writer.query('ALTER TABLE tags ADD COLUMN x int')).rejects.toMatchObject({ errno: 1142 });
    const seen = await openApi(product.gateways[0], user.key).get('/tags?name=by%20hand');
    expect(seen.json).toHaveLength(1);

    const owner = await connect(
      (await createConnection(user, { name: 'o', role: 'owner' })).connection_string,
    );
    await owner.query('CREATE VIEW published_posts AS SELECT id, title FROM posts WHERE published = 1');
    for (const connection of [reader, writer, owner]) {
      const [databases] = await connection.query('SHOW DATABASES');
      const names = (databases as { Database: string }[]).map((row) => row.Database);
      expect(names.filter((name) => !/^(information_schema|performance_schema)$/.test(name))).toHaveLength(1);
      for (const statement of [
        'SELECT * FROM mysql.user',
        'CREATE DATABASE x',
        "CREATE USER x IDENTIFIED BY 'x'",
        "SELECT 1 INTO OUTFILE '/tmp/rowhouse-e2e'",
        'GRANT SELECT ON *.* TO CURRENT_USER()',
      ]) {
        await expect(connection.query(statement), statement).rejects.toThrow();
      }
    }
  });

  it('a revoked connection ends at once, including its open sessions', async () => {
    const created = await createConnection(user, { name: 'doomed', role: 'read-write' });
    const session = await connect(created.connection_string);
    await session.query('SELECT 1');
    const revoked = await user.control.call('DELETE', `/api/connections/${created.id}`);
    expect([200, 202, 204], revoked.text).toContain(revoked.status);
    await waitFor('the open session is ended', () =>
      session.query('SELECT 1').then(
        () => false,
        () => true,
      ),
    );
    await expect(mysql.createConnection(created.connection_string)).rejects.toThrow();
    const list = await user.control.call('GET', `/api/databases/${user.development.id}/connections`);
    expect(list.text).not.toContain(created.id);
    expect((await openApi(product.gateways[0], user.key).get('/posts')).status).toBe(200);
  });

  it('a direct connection is closed when it expires', async () => {
    const created = await createConnection(user, {
      name: 'brief',
      role: 'read-only',
      expires_at: new Date(Date.now() + 2_000).toISOString(),
    });
    await waitFor(
      'the login is refused',
      () =>
        mysql.createConnection(created.connection_string).then(
          (c) => {
            c.destroy();
            return false;
          },
          () => true,
        ),
      { timeoutMs: 30_000, intervalMs: 250 },
    );
  });
});

// @ts-check
import { readFileSync } from 'node:fs';
import mysql from 'mysql2/promise';

const DDL = new URL('../../apps/control-plane/src/starters/blog.sql', import.meta.url);

/**
 * Creates a database with the empty tables of the example schema.
 * @param {string} serverUrl `mysql://…` without a database
 * @param {string} name
 */
export async function createBlog(serverUrl, name) {
  const connection = await mysql.createConnection({ uri: serverUrl, multipleStatements: true });
  await connection.query(`CREATE DATABASE ${name}; USE ${name}; ${readFileSync(DDL, 'utf8')}`);
  await connection.end();
}

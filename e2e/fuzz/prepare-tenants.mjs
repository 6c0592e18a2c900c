// @ts-check
import { writeBlog } from '../support/schemas/blog.mjs';
import { deploy, signUp } from '../support/control.mjs';
import { EVERY_TYPE_TABLE, TYPE_CASES, everyTypeSql } from '../support/schemas/every-type.mjs';
import { openApi } from '../support/http.mjs';
import { waitFor } from '../support/wait.mjs';

/**
 * Creates two tenants with the same schema: the example, a table of every type, and a table with unusual
 * names. Each has its own mark in every text value, which the other tenant must never see.
 * @param {{ control: string, gateways: readonly string[] }} product
 * @returns {Promise<import('./run-fuzz.mjs').FuzzTenant[]>}
 */
export async function prepareTenants(product) {
  const marks = ['mark4a1c', 'mark8e7d'];
  /** @type {import('../support/control.mjs').TestUser[]} */
  const people = [];
  for (const mark of marks) {
    const user = await signUp(product.control, { name: 'fuzz' });
    await deploy(
      user,
      `${everyTypeSql()};
      CREATE TABLE odd_names (\`id\` int AUTO_INCREMENT PRIMARY KEY, \`order\` int NULL, \`limit\` varchar(20) NULL, \`a b\` varchar(20) NULL, \`select\` int NULL, \`tick\`\`ed\` varchar(20) NULL, \`naïve\` varchar(20) NULL, \`x__like\` varchar(20) NULL, \`post_id\` int NULL, FOREIGN KEY (post_id) REFERENCES posts (id));
      CREATE TABLE no_key (a int NULL, b varchar(50) NULL)`,
    );
    for (const base of product.gateways)
      await waitFor(
        'the tables are served',
        async () => (await openApi(base, user.key).get('/no-key')).status === 200,
      );
    const api = openApi(/** @type {string} */ (product.gateways[0]), user.key);
    await writeBlog(api, mark);
    await api.post(`/${EVERY_TYPE_TABLE.replaceAll('_', '-')}`, {
      c_varchar: mark,
      c_text: mark,
      c_json: { mark },
    });
    await api.post('/no-key', { a: 1, b: mark });
    people.push(user);
  }
  return people.map((user, index) => {
    const other = people[1 - index];
    if (other === undefined) throw new Error('there are two of them');
    const { development } = other;
    return {
      forbidden: /** @type {string} */ (marks[1 - index]),
      context: {
        key: user.key,
        tables: listTables(),
        foreign: [
          development.id,
          other.projectId,
          development.docs_slug,
          'mysql',
          'information_schema',
          'rowhouse_cell',
        ],
      },
    };
  });
}

function listTables() {
  const relationships = [
    'user',
    'users',
    'post',
    'posts',
    'comments',
    'tags',
    'tag',
    'post_tags',
    'odd_names',
    'nonsense',
    '__proto__',
  ];
  return [
    {
      path: 'users',
      name: 'users',
      columns: ['id', 'username', 'email', 'bio', 'created_at'],
      relationships,
    },
    {
      path: 'posts',
      name: 'posts',
      columns: ['id', 'title', 'content', 'user_id', 'published', 'created_at'],
      relationships,
    },
    {
      path: 'posts',
      name: 'posts',
      columns: ['id', 'title', 'content', 'user_id', 'published', 'created_at'],
      relationships,
    },
    {
      path: 'comments',
      name: 'comments',
      columns: ['id', 'content', 'user_id', 'post_id', 'created_at'],
      relationships,
    },
    { path: 'tags', name: 'tags', columns: ['id', 'name', 'description'], relationships },
    { path: 'post-tags', name: 'post_tags', columns: ['post_id', 'tag_id'], relationships },
    {
      path: 'every-types',
      name: EVERY_TYPE_TABLE,
      columns: ['id', ...TYPE_CASES.map((entry) => entry.column)],
      relationships,
    },
    {
      path: 'odd-names',
      name: 'odd_names',
      columns: ['id', 'order', 'limit', 'a b', 'select', 'tick`ed', 'naïve', 'x__like', 'post_id'],
      relationships,
    },
    { path: 'no-key', name: 'no_key', columns: ['a', 'b'], relationships },
  ];
}

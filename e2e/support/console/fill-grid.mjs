// @ts-check
import { deploy } from '../control.mjs';

const KINDS = `CREATE TABLE kinds (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40) NOT NULL, note TEXT NULL, doc JSON NULL, size ENUM('small','large') NULL, ok BOOLEAN NULL,
  day DATE NULL, price DECIMAL(20,4) NULL, bytes BLOB NULL, doubled DECIMAL(21,4) AS (price * 2) VIRTUAL
)`;

/**
 * Creates rows for the grid: over two pages of posts, one of them long, and a table with each kind of column.
 * @param {{ person: import('../control.mjs').TestUser, api: import('../http.mjs').Api }} stage
 */
export async function fillGrid({ person: user, api }) {
  await deploy(user, KINDS);
  await api.post(
    '/users',
    ['ada', 'grace', 'linus'].map((username) => ({ username, email: `${username}@example.test` })),
  );
  await api.post(
    '/posts',
    Array.from({ length: 250 }, (_, index) => ({
      title: `Post ${index + 1}`,
      content: `${'word '.repeat(index === 0 ? 400 : 3)}end`,
      user_id: (index % 3) + 1,
      published: index % 2 === 0,
    })),
  );
  await api.post('/kinds', [
    {
      name: 'first',
      note: '',
      doc: { big: 1, list: [1, 2] },
      size: 'small',
      ok: true,
      day: '2026-01-31',
      price: '1234567890123456.5000',
      bytes: 'AAECAw==',
    },
    { id: '9007199254740993', name: 'last', note: null, doc: null, size: null, ok: null },
  ]);
}

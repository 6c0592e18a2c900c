// @ts-check
import { expectStatus } from '../support/control.mjs';

/** Creates one user and the posts `Post 01` to `Post 12`. @param {import('../support/http.mjs').Api} api */
export async function writePosts(api) {
  const user = await api.post('/users', { username: 'writer', email: 'writer@example.test' });
  expectStatus(user, [201], 'POST /users');
  const posts = Array.from({ length: 12 }, (_, index) => ({
    title: `Post ${String(index + 1).padStart(2, '0')}`,
    content: 'x',
    user_id: user.json.id,
  }));
  expectStatus(await api.post('/posts', posts), [201], 'POST /posts');
}

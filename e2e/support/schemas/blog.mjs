// @ts-check
import { expectStatus, signUp } from '../control.mjs';
import { openApi } from '../http.mjs';
import { readProduct } from '../product.mjs';

/**
 * Creates one record and returns it.
 * @param {import('../http.mjs').Api} api
 * @param {string} path
 * @param {Record<string, unknown>} body
 */
export async function create(api, path, body) {
  const response = await api.post(path, body);
  expectStatus(response, [201], `POST ${path}`);
  return response.json;
}

/**
 * Creates two people, three posts, three comments and two tags, which is enough for every relationship of the
 * example schema.
 * @param {import('../http.mjs').Api} api
 * @param {string} mark part of each text value, so that a leaked row shows its origin
 */
export async function writeBlog(api, mark) {
  const ann = await create(api, '/users', {
    username: `ann ${mark}`,
    email: `ann.${mark}@example.test`,
    bio: `bio ${mark}`,
  });
  const bob = await create(api, '/users', { username: `bob ${mark}`, email: `bob.${mark}@example.test` });
  const first = await create(api, '/posts', {
    title: `First ${mark}`,
    content: `Text ${mark}`,
    user_id: ann.id,
    published: true,
  });
  const second = await create(api, '/posts', {
    title: `Second ${mark}`,
    content: `Text ${mark}`,
    user_id: ann.id,
  });
  const third = await create(api, '/posts', {
    title: `Third ${mark}`,
    content: `Text ${mark}`,
    user_id: bob.id,
    published: true,
  });
  const praise = await create(api, '/comments', {
    content: `Good ${mark}`,
    user_id: bob.id,
    post_id: first.id,
  });
  const doubt = await create(api, '/comments', {
    content: `Really ${mark}`,
    user_id: ann.id,
    post_id: first.id,
  });
  const reply = await create(api, '/comments', {
    content: `Thanks ${mark}`,
    user_id: bob.id,
    post_id: third.id,
  });
  const news = await create(api, '/tags', { name: `news ${mark}`, description: `what is new ${mark}` });
  const howto = await create(api, '/tags', { name: `howto ${mark}` });
  await create(api, '/post-tags', { post_id: first.id, tag_id: news.id });
  await create(api, '/post-tags', { post_id: first.id, tag_id: howto.id });
  await create(api, '/post-tags', { post_id: third.id, tag_id: news.id });
  return {
    users: { ann, bob },
    posts: { first, second, third },
    comments: { praise, doubt, reply },
    tags: { news, howto },
  };
}

/** @typedef {Awaited<ReturnType<typeof writeBlog>>} Blog */

/**
 * Signs up a new person in the product of this run, with the rows of `writeBlog`.
 * @param {string} mark as for `writeBlog`
 */
export async function openBlog(mark) {
  const product = readProduct();
  const user = await signUp(product.control);
  const api = openApi(product.gateways[0], user.key);
  return { product, person: user, api, blog: await writeBlog(api, mark) };
}

// @ts-check
/**
 * Creates a comment by a random user on a random post.
 * @param {import('./bench-case.mjs').CaseContext} context
 */
export function makeComment({ random, size }) {
  const words = Array.from({ length: 8 }, () => Math.floor(random() * 1e9).toString(36)).join(' ');
  return {
    content: words,
    user_id: 1 + Math.floor(random() * size.users),
    post_id: 1 + Math.floor(random() * size.posts),
  };
}

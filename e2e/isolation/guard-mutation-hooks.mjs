// @ts-check
import { mutateText } from './mutate-text.mjs';

/** @type {readonly import('./guards.mjs').Change[]} */
let changes = [];

/** @param {readonly import('./guards.mjs').Change[]} data */
export function initialize(data) {
  changes = data;
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  if (
    loaded.source === undefined ||
    loaded.source === null ||
    !changes.some(({ file }) => url.endsWith(file))
  )
    return loaded;
  const text =
    typeof loaded.source === 'string'
      ? loaded.source
      : Buffer.from(/** @type {Uint8Array} */ (loaded.source)).toString('utf8');
  return { ...loaded, source: mutateText(url, text, changes) };
}

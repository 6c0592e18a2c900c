// @ts-check

/**
 * The text of a module with its walls made removable.
 * @param {string} url @param {string} text @param {readonly import('./walls.mjs').Change[]} changes
 * @throws {Error} when a wall does not stand where it is said to, just once
 */
export function breachText(url, text, changes) {
  let changed = text;
  for (const { file, from, to } of changes) {
    if (!url.endsWith(file)) continue;
    const parts = changed.split(from);
    if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times ${JSON.stringify(from)}: say in e2e/isolation/walls.mjs where the wall stands now`);
    changed = parts.join(to);
  }
  return changed;
}

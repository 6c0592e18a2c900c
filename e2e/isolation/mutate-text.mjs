// @ts-check

/**
 * Returns the text of a module in which its guards can be turned off.
 * @param {string} url
 * @param {string} text
 * @param {readonly import('./guards.mjs').Change[]} changes
 * @throws {Error} when the code of a guard does not occur exactly once
 */
export function mutateText(url, text, changes) {
  let changed = text;
  for (const { file, from, to } of changes) {
    if (!url.endsWith(file)) continue;
    const parts = changed.split(from);
    if (parts.length !== 2)
      throw new Error(
        `${file} has ${parts.length - 1} times ${JSON.stringify(from)}: say in e2e/isolation/guards.mjs where the guard is now`,
      );
    changed = parts.join(to);
  }
  return changed;
}

// @ts-check
/** Reads the recipes of docs/tools.md from the page. */

/**
 * @typedef {object} Recipe
 * @property {string} name its heading
 * @property {{ name: string, text: string }[]} files
 * @property {string} script the shell commands to run; derived from the last file if the page has none
 *
 * @typedef {object} Support the row of the page's table about one tool
 * @property {string} name
 * @property {Record<'mariadb' | 'mysql', boolean>} works
 * @property {boolean} isRun whether the suite runs its recipe
 */

/** The command that runs a file, by its extension. @type {Record<string, (name: string) => string>} */
const RUNNERS = {
  mjs: (name) => `node ${name}`,
  py: (name) => `python3 ${name}`,
  go: (name) => `go run ${name}`,
  java: (name) => `java ${name}`,
  php: (name) => `php ${name}`,
};

/** @param {string} page @returns {Map<string, Recipe>} by heading */
export function readRecipes(page) {
  const recipes = new Map();
  for (const section of page.split(/^### /m).slice(1)) {
    const [name = ''] = section.split('\n');
    const body = section.split(/^## /m)[0] ?? '';
    const files = [...body.matchAll(/<!-- file: (\S+) -->\n```\w+\n([^]*?)\n```/g)].map(
      ([, file = '', text = '']) => ({ name: file, text: `${text}\n` }),
    );
    const lines = [...body.matchAll(/^```sh\n([^]*?)\n```/gm)].map(([, text]) => text);
    const last = files.at(-1)?.name ?? '';
    const script = lines.length > 0 ? lines.join('\n') : RUNNERS[last.split('.').at(-1) ?? '']?.(last);
    if (script !== undefined) recipes.set(name.trim(), { name: name.trim(), files, script });
  }
  return recipes;
}

/** @param {string} page @returns {string[]} the tools that the page lists as not run */
export function readUntried(page) {
  const table = page.split('The suite does not test these tools:')[1]?.split('\n## ')[0] ?? '';
  return [...table.matchAll(/^\| ([^|]+) \| [^|]+\|$/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'Tool' && !name.startsWith('---'));
}

/** @param {string} page @returns {Support[]} the rows of the table of tools */
export function readSupport(page) {
  const rows = [
    ...page.matchAll(
      /^\| \[?([^\]|]+?)\]?(?:\(#[^)]*\))?(?: Client)? \| ([^|]+) \| ([^|]+) \| (yes|no)[^|]*\|$/gm,
    ),
  ];
  return rows.map(([, name = '', mariadb = '', mysql = '', run]) => ({
    name,
    works: { mariadb: mariadb.startsWith('works'), mysql: mysql.startsWith('works') },
    isRun: run === 'yes',
  }));
}

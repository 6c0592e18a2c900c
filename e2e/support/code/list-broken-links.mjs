// @ts-check
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { rootDir } from '@rowhouse/local/paths';

/**
 * Lists the documentation pages: Markdown files of the root and of `docs`.
 * @returns {string[]} paths relative to the root
 */
export function listDocuments() {
  const root = readdirSync(rootDir).filter((name) => name.endsWith('.md'));
  const docs = readdirSync(join(rootDir, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  return [...root, ...docs];
}

/**
 * Lists the links of a document whose file or heading does not exist.
 * @param {string} file relative to the root
 * @returns {string[]} "file links to target" for each broken link
 */
export function listBrokenLinks(file) {
  const text = withoutCode(readFileSync(join(rootDir, file), 'utf8')).replaceAll(/`[^`\n]*`/g, '');
  const targets = [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target) && !exists(file, target))
    .map((target) => `${file} links to ${target}`);
}

/** @param {string} file @param {string} target */
function exists(file, target) {
  const [path = '', anchor] = target.split('#');
  const found = path === '' ? join(rootDir, file) : join(rootDir, dirname(file), path);
  if (!existsSync(found)) return false;
  if (anchor === undefined || statSync(found).isDirectory() || !found.endsWith('.md')) return true;
  return listAnchors(relative(rootDir, found)).has(anchor);
}

/**
 * Lists the anchors that Markdown renderers give to the headings of a document.
 * @param {string} file relative to the root
 */
function listAnchors(file) {
  const headings = withoutCode(readFileSync(join(rootDir, file), 'utf8')).matchAll(/^#+ (.+)$/gm);
  return new Set([...headings].map(([, text = '']) => toAnchor(text)));
}

/** @param {string} heading */
function toAnchor(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

/** @param {string} markdown */
function withoutCode(markdown) {
  return markdown.replaceAll(/```[^]*?```/g, '');
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { listSources } from './list-sources.mjs';

/** The limit for functions in .tsx files is higher, because markup is long but simple. */
const MAX_LINES = { code: 60, markup: 120 };

/**
 * Finds functions that are too long. Blank lines, comment lines and named inner functions do not count. Inner
 * functions are measured on their own, because a function that only holds state for its inner functions works
 * like a class.
 * @param {string} root
 * @returns {string[]} one line per finding
 */
export function checkFunctionLength(root) {
  return listSources(root, ['apps', 'libs', 'infra'], /(?<!\.test)\.(ts|tsx|mjs)$/)
    .filter((path) => !/\/(test|testing)\//.test(path))
    .flatMap((path) => checkFile(root, path));
}

/**
 * @param {string} root
 * @param {string} path
 */
function checkFile(root, path) {
  const source = ts.createSourceFile(
    path,
    readFileSync(join(root, path), 'utf8'),
    ts.ScriptTarget.ES2022,
    true,
  );
  const counted = markCountedLines(source);
  const max = path.endsWith('.tsx') ? MAX_LINES.markup : MAX_LINES.code;
  /** @type {string[]} */
  const findings = [];
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const lines = countLines(source, node, counted);
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      if (lines > max)
        findings.push(`${path}:${line}: function-length: ${nameOf(node)} has ${lines} lines, ${max} at most`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return findings;
}

/** Marks the lines that contain code. @param {ts.SourceFile} source */
function markCountedLines(source) {
  const lines = source.text.split('\n').map((line) => line.trim());
  let isInComment = false;
  return lines.map((line) => {
    if (isInComment) {
      isInComment = !line.includes('*/');
      return false;
    }
    if (line.startsWith('/*')) isInComment = !line.includes('*/');
    return line !== '' && !line.startsWith('//') && !line.startsWith('/*');
  });
}

/**
 * @param {ts.SourceFile} source
 * @param {ts.Node} node
 * @param {readonly boolean[]} counted
 */
function countLines(source, node, counted) {
  const lineOf = (/** @type {number} */ position) => source.getLineAndCharacterOfPosition(position).line;
  const own = new Set();
  for (let line = lineOf(node.getStart()); line <= lineOf(node.end); line += 1)
    if (counted[line]) own.add(line);
  const leaveOut = (/** @type {ts.Node} */ inner) => {
    if (inner !== node && isNamedFunction(inner)) {
      for (let line = lineOf(inner.getStart()); line <= lineOf(inner.end); line += 1) own.delete(line);
      return;
    }
    ts.forEachChild(inner, leaveOut);
  };
  ts.forEachChild(node, leaveOut);
  return own.size;
}

/**
 * Returns whether a node is a declaration, a method or a named arrow function. A callback is part of its
 * function.
 * @param {ts.Node} node
 */
function isNamedFunction(node) {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isAccessor(node)) return true;
  const isInitializer = ts.isVariableDeclaration(node.parent) || ts.isPropertyAssignment(node.parent);
  return (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) && isInitializer;
}

/** @param {ts.SignatureDeclaration} node */
function nameOf(node) {
  if (node.name !== undefined) return node.name.getText();
  return ts.isVariableDeclaration(node.parent) || ts.isPropertyAssignment(node.parent)
    ? node.parent.name.getText()
    : 'a function without a name';
}

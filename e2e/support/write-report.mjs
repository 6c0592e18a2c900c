// @ts-check
/** Writes the results of the long suites and the benchmark, as one JSON file and one Markdown file. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { rootDir } from '@rowhouse/local/paths';

/**
 * @typedef {object} Report
 * @property {string} suite the file name
 * @property {string} title the question in one line
 * @property {string} command reproduces the report
 * @property {number | null} seed
 * @property {Record<string, string>} engines
 * @property {string[]} skips what was omitted, and why
 * @property {Record<string, unknown>} figures
 * @property {{ claim: string, holds: boolean, found: string }[]} claims
 * @property {string[]} [notes]
 * @property {string} [commit] the measured commit, unless it is the current one
 */

/**
 * Writes `docs/reports/<suite>.json` and `.md` and prints the claims.
 * @param {Report} report
 * @returns {boolean} whether every claim holds
 */
export function writeReport(report) {
  const full = {
    ...report,
    commit: report.commit ?? readCommit(),
    node: process.version,
    machine: describeMachine(),
    made_at: new Date().toISOString(),
  };
  const folder = join(rootDir, 'docs', 'reports');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${report.suite}.json`), `${JSON.stringify(full, null, 2)}\n`);
  writeFileSync(join(folder, `${report.suite}.md`), toMarkdown(full));
  for (const { claim, holds, found } of report.claims)
    console.log(`${holds ? 'holds ' : 'FAILS '} ${claim}: ${found}`);
  console.log(`Written: docs/reports/${report.suite}.md`);
  return report.claims.every((claim) => claim.holds);
}

/** @param {number[]} values @param {number} share 0 to 1 */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** @param {number[]} values */
export function summarize(values) {
  const round = (/** @type {number} */ value) => Math.round(value * 100) / 100;
  return {
    count: values.length,
    p50: round(percentile(values, 0.5)),
    p90: round(percentile(values, 0.9)),
    p99: round(percentile(values, 0.99)),
    max: round(values.reduce((maximum, value) => Math.max(maximum, value), Number.NEGATIVE_INFINITY)),
  };
}

/** Returns the commit of the running code, with a note if files were changed since. */
export function readCommit() {
  try {
    const git = (/** @type {string[]} */ args) =>
      execFileSync('git', args, { cwd: rootDir, encoding: 'utf8' }).trim();
    return (
      git(['rev-parse', 'HEAD']) +
      (git(['status', '--porcelain', '--untracked-files=no', '--', '.', ':!docs/reports']) === ''
        ? ''
        : ' with changes that are not committed')
    );
  } catch {
    return 'unknown';
  }
}

function describeMachine() {
  return `${type()} ${release()} ${arch()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`;
}

/** @param {Report & { commit: string, node: string, machine: string, made_at: string }} report */
function toMarkdown(report) {
  const lines = [
    `# ${report.title}`,
    '',
    `Made by \`${report.command}\` on ${report.made_at.slice(0, 10)}, commit ${report.commit}${report.seed === null ? '' : `, seed ${report.seed}`}.`,
    `${report.machine}, Node ${report.node}${Object.entries(report.engines)
      .map(([name, version]) => `, ${name} ${version}`)
      .join('')}.`,
    '',
    '| Claim | Holds | Found |',
    '|---|---|---|',
    ...report.claims.map(
      ({ claim, holds, found }) => `| ${claim} | ${holds ? 'yes' : '**no**'} | ${found} |`,
    ),
    '',
    ...(report.notes ?? []).flatMap((note) => [note, '']),
    report.skips.length === 0 ? 'Nothing was skipped.' : `Skipped: ${report.skips.join('; ')}.`,
    '',
    '```json',
    JSON.stringify(report.figures, null, 2),
    '```',
    '',
  ];
  return lines.join('\n');
}

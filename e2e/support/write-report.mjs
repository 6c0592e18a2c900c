// @ts-check
/**
 * Writes the results of the long suites and the benchmark into `reports`: a JSON file with every figure, a
 * page with the claims, and the index. Run as a program, it writes all pages again from the JSON files.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rootDir } from '@rowhouse/local/paths';

/**
 * @typedef {object} Report
 * @property {string} suite the file name
 * @property {string} title the question in one line
 * @property {string} command reproduces the report
 * @property {number | null} seed
 * @property {Record<string, string>} engines
 * @property {string[]} skips the parts that were not run, and why
 * @property {Record<string, unknown>} figures
 * @property {{ claim: string, holds: boolean, found: string }[]} claims
 * @property {string[]} [notes]
 * @property {string} [commit] the measured commit, unless it is the current one
 */

const FOLDER = join(rootDir, 'reports');

/**
 * Writes the report of a suite and prints its claims.
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
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${report.suite}.json`), `${JSON.stringify(full, null, 2)}\n`);
  writePages();
  for (const { claim, holds, found } of report.claims)
    console.log(`${holds ? 'holds ' : 'FAILS '} ${claim}: ${found}`);
  console.log(`Written: reports/${report.suite}.md`);
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
      (git(['status', '--porcelain', '--untracked-files=no', '--', '.', ':!reports']) === ''
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

/** @typedef {Report & { commit: string, node: string, machine: string, made_at: string }} FullReport */

/** Writes a page for each JSON file, and the index of all of them. */
function writePages() {
  const reports = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => /** @type {FullReport} */ (JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))));
  for (const report of reports) writeFileSync(join(FOLDER, `${report.suite}.md`), renderReport(report));
  writeFileSync(join(FOLDER, 'README.md'), renderIndex(reports));
}

/** @param {readonly FullReport[]} reports */
function renderIndex(reports) {
  const rows = reports.map(({ suite, title, claims, made_at: date }) => {
    const held = claims.filter(({ holds }) => holds).length;
    return `| [${suite}](${suite}.md) | ${title} | ${claims[0]?.found ?? ''} | ${held} of ${claims.length} | ${date.slice(0, 10)} |`;
  });
  return [
    '# Reports',
    '',
    'Each long suite and each benchmark case writes its newest result here. A page lists the claims that a suite',
    'checks, and the JSON file with the same name has every figure. A report describes one commit on one machine.',
    '[Performance figures](../docs/performance.md) compares them with the goals.',
    '',
    '| Suite | Question | First figure | Claims that hold | Date |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** @param {FullReport} report */
function renderReport(report) {
  return [
    `# ${report.title}`,
    '',
    `Written by \`${report.command}\` on ${report.made_at.slice(0, 10)}, commit ${report.commit.slice(0, 12)}${report.seed === null ? '' : `, seed ${report.seed}`}.`,
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
    `[Every figure](${report.suite}.json)`,
    '',
  ].join('\n');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) writePages();

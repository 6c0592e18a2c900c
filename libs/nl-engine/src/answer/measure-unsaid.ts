import type { Column, Table } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../link/link-question.js';
import type { Candidate } from '../read-best.js';
import type { Span } from '../types.js';
import { readAdjective } from '../words/adjectives.js';
import { isFunctionWord } from '../words/function-words.js';
import { isVerb } from '../words/verbs.js';

/** Words that ask for something, and how a statement says that it is there. */
const CUES: readonly (readonly [name: string, words: RegExp, sql: RegExp])[] = [
  ['unsaidEach', /\b(?:each|every|per)\b/, /GROUP BY|AVG\(\(SELECT/],
  ['unsaidDistinct', /\b(?:distinct|different|unique)\b/, /DISTINCT|GROUP BY/],
  ['unsaidMost', /\b(?:most|least|fewest|highest|lowest|largest|smallest|biggest|greatest|top|best|maximum|minimum)\b/, /ORDER BY|MAX\(|MIN\(|>=? ?\(SELECT|[<>]=? \d/],
  ['unsaidNot', /\b(?:not|no|never|without|except|neither|nor|excluding|none|n't)\b/, /NOT|!=| IS NULL|= 0\b|\bfalse\b|[<>]/],
  ['unsaidAverage', /\b(?:average|mean|avg)\b/, /AVG\(|`[^`]*(?:avg|average|mean)[^`]*`/i],
  ['unsaidCount', /\b(?:how many|number of|count)\b/, /COUNT\(|`[^`]*(?:num|count|total|no_|quantity|amount|how_many)[^`]*`/i],
  ['unsaidOr', /\b(?:or|either)\b/, / OR |>=|<=/],
  ['unsaidOrder', /\b(?:sort|sorted|order|ordered|ordering|alphabetical|alphabetically|ascending|descending|increasing|decreasing)\b/, /ORDER BY|`[^`]*order[^`]*`/i],
  ['unsaidMore', /\b(?:more|fewer|less|greater|higher|lower|larger|smaller|older|younger) than\b/, / (?:[<>]=?) /],
  ['saysBoth', /\bboth\b/, /^$/],
  ['saysAll', /\ball of|\bthan all\b|\bthan any\b|\bthan every\b/, /^$/],
  ['saysOnly', /\bonly\b/, /^$/],
  ['saysSame', /\b(?:same|other|another|others)\b/, /^$/],
  ['saysAlso', /\b(?:also|but|as well)\b/, /^$/],
  ['saysOrder', /\bfirst|\blast\b/, /ORDER BY|`[^`]*(?:first|last)[^`]*`/i],
  ['saysThan', /\bthan\b/, /[<>]/],
];

interface Named {
  readonly table: Table;
  readonly column?: Column;
  readonly cost: number;
}

/** A name of the schema is close enough that passing it over says something. */
const NEAR_COST = 0.3;
const SPAN_MAX = 8;

/** What a question says and the statement does not: words that ask for something, and names of the schema that it never touches. */
export function measureUnsaid(candidate: Candidate, q: LinkedQuestion): Readonly<Record<string, number>> {
  const text = q.tokens.filter((token) => token.kind !== 'quoted').map((token) => token.lower).join(' ');
  const cues = CUES.map(([name, words, sql]) => [name, words.test(text) && !sql.test(candidate.sql) ? 1 : 0] as const);
  const touched = listTouched(candidate);
  const texts = candidate.params.filter((param) => typeof param === 'string').map((param) => param.toLowerCase());
  let [untouched, loose, unknown, verbs] = [0, 0, 0, 0];
  for (const [at, token] of q.tokens.entries()) {
    if (isVerb(token.lower)) verbs += 1;
    if (token.kind !== 'word' || isFunctionWord(token.lower) || readAdjective(token.lower) !== null) continue;
    const links = [q.tables, q.columns, q.values].flatMap((spans) => listLinks(spans, at));
    if (links.some((link) => touched.has(link.column ?? link.table)) || texts.some((param) => param.includes(token.lower))) continue;
    // `placed`, `ordered`: verbs are names of the schema by chance.
    if (isVerb(token.lower)) continue;
    if (links.some((link) => link.cost < NEAR_COST)) untouched += 1;
    else if (links.length > 0) loose += 1;
    else unknown += 1;
  }
  return { ...Object.fromEntries(cues), untouched, loose, unknown, verbs };
}

/** Everything that a place of the question may be part of. */
function listLinks(spans: readonly (readonly Span<Named>[])[], at: number): Named[] {
  return spans.slice(Math.max(0, at - SPAN_MAX + 1), at + 1).flat().flatMap((span) => (span.from <= at && at < span.to ? span.links : []));
}

/** Tables and columns that a statement has anything to do with. */
function listTouched({ assignment: { tables, paths, columns, values } }: Candidate): ReadonlySet<unknown> {
  const bounds = [...columns.values(), ...values.values()];
  const edges = [...paths, ...bounds.map((bound) => bound.path)].flat();
  return new Set<unknown>([...tables, ...edges.flatMap((edge) => [edge.from, edge.to]), ...bounds.flatMap((bound) => [bound.table, bound.column])]);
}

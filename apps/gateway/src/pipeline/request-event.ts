import { redactQuoted } from '@rowhouse/runtime';
import type { Observation } from './observe.js';
import { STEPS, type TraceNotes } from './trace.js';

/** Texts that were put into JSON before: routes come again with each request of a table. */
const quotedRoutes = new Map<string, string>();
const ROUTES_MAX = 10_000;

/**
 * The members of a request's one wide event, as JSON text: which key of which database asked for what, and what it
 * took. No value, no name that a user sent, no secret. Written out by hand: a tenth of what a serializer takes.
 */
export function writeRequestEvent(observation: Observation): string {
  const { requestId, method, status, durationMs, bytes, notes, error } = observation;
  const { tenant } = notes;
  // Ids are of our own form, and a request id that has another never gets this far.
  let text = `"request_id":"${requestId}","method":"${method}","route":${quoteRoute(notes.route)},"status":${status}`;
  if (tenant !== null) text += `,"key_id":"${tenant.key.id}","database_id":"${tenant.key.databaseId}","project_id":"${tenant.database.record.projectId}"`;
  if (notes.plan !== '') text += `,"plan":"${notes.plan}"`;
  text += `,"duration_ms":${round(durationMs)}${writeSteps(notes)},"rows":${notes.rows},"bytes":${bytes}`;
  if (notes.isReplanned) text += ',"replanned":true';
  if (error !== null) {
    text += `,"code":"${error.code}"`;
    // What a trigger says is its author's text, values and all.
    if (error.internal !== undefined && error.code !== 'record.rejected') text += `,"internal":${JSON.stringify(redactQuoted(error.internal))}`;
  }
  return `${text},"msg":"request"`;
}

function writeSteps(notes: TraceNotes): string {
  let text = '';
  for (const step of STEPS) {
    const ms = notes.steps[step];
    if (ms !== undefined) text += `${text === '' ? '' : ','}"${step}":${round(ms)}`;
  }
  return text === '' ? '' : `,"steps_ms":{${text}}`;
}

function quoteRoute(route: string): string {
  let quoted = quotedRoutes.get(route);
  if (quoted === undefined) {
    if (quotedRoutes.size >= ROUTES_MAX) quotedRoutes.clear();
    quotedRoutes.set(route, (quoted = JSON.stringify(route)));
  }
  return quoted;
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}

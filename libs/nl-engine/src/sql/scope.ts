import type { Edge } from '../resolve/table-graph.js';
import type { Param } from '../types.js';
import { quote } from './quote.js';

export interface Part {
  readonly sql: string;
  readonly params: readonly Param[];
}

/** The joins of one SELECT. Each row set has one alias. */
export interface Scope {
  readonly joins: string[];
  readonly aliases: Map<string, string>;
}

export function joinOn(near: string, target: string, edge: Edge): string {
  return edge.fromColumns
    .map((name, index) => `${target}.${quote(edge.toColumns[index] ?? '')} = ${near}.${quote(name)}`)
    .join(' AND ');
}

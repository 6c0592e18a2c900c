import type { LinkedQuestion } from '../../link/linked-question.js';
import type { Condition, Order } from '../../types.js';
import { readFlags } from '../implied-conditions/flags.js';
import { type Parsed, saysBoth, wordAt } from '../reader.js';
import { readStock } from '../implied-conditions/stock-levels.js';
import { readValues } from '../conditions/values.js';
import { readSuperlative } from './measures.js';

interface Premodifiers {
  readonly conditions: readonly Condition[];
  readonly orders: readonly Order[];
}

/** Parses the adjectives and values before a noun. The first result contains none of them. */
export function readPremodifiers(q: LinkedQuestion, from: number): Parsed<Premodifiers>[] {
  const none: Parsed<Premodifiers> = { position: from, cost: 0, value: { conditions: [], orders: [] } };
  const found: Parsed<Premodifiers>[] = [none];
  const superlative = readSuperlative(q, from);
  if (superlative !== null)
    found.push({
      position: superlative.position,
      cost: superlative.cost,
      value: { conditions: [], orders: [superlative.value] },
    });
  found.push(
    ...readFlags(q, from).map((flag) => ({
      position: flag.position,
      cost: flag.cost,
      value: { conditions: [flag.value], orders: [] },
    })),
  );
  found.push(
    ...readStock(q, from).map((stock) => ({
      position: stock.position,
      cost: stock.cost,
      value: { conditions: [stock.value], orders: [] },
    })),
  );
  for (const head of found.slice()) {
    for (const value of readValues(q, head.position)) {
      if (value.value.links.length === 0) continue;
      const condition: Condition = { kind: 'value', links: value.value.links, negated: false, owner: null };
      const modified: Parsed<Premodifiers> = {
        position: value.position,
        cost: head.cost + value.cost,
        value: { ...head.value, conditions: [condition] },
      };
      found.push(modified, ...readNextValue(q, modified, condition));
      found.push(...readSecondValue(q, value.position, condition, head));
    }
  }
  return found;
}

/** Parses a second value, from another column of the same rows, as in `urgent open tickets`. */
function readNextValue(
  q: LinkedQuestion,
  modified: Parsed<Premodifiers>,
  first: Condition & { readonly kind: 'value' },
): Parsed<Premodifiers>[] {
  return readValues(q, modified.position).flatMap((value) => {
    const links = value.value.links.filter((link) =>
      first.links.some((own) => own.table === link.table && own.column !== link.column),
    );
    return links.length === 0
      ? []
      : [
          {
            position: value.position,
            cost: modified.cost + value.cost + 0.1,
            value: {
              ...modified.value,
              conditions: [
                ...modified.value.conditions,
                { kind: 'value' as const, links, negated: false, owner: null },
              ],
            },
          },
        ];
  });
}

/** Parses a second value from the same column, as in `the Marketing or Finance department`. */
function readSecondValue(
  q: LinkedQuestion,
  position: number,
  first: Condition & { readonly kind: 'value' },
  head: Parsed<Premodifiers>,
): Parsed<Premodifiers>[] {
  if (!['or', 'and'].includes(wordAt(q, position))) return [];
  return readValues(q, position + 1).flatMap((second) => {
    const links = second.value.links.filter((link) => first.links.some((own) => own.column === link.column));
    if (links.length === 0) return [];
    const retained = first.links.filter((link) => links.some((other) => other.column === link.column));
    const parts: Condition[] = [
      { ...first, links: retained },
      { ...first, links },
    ];
    return [
      {
        position: second.position,
        cost: head.cost + (wordAt(q, position) !== 'and' ? 0 : saysBoth(q, position) ? 0.2 : 0.6),
        value: {
          ...head.value,
          conditions: [
            {
              kind:
                wordAt(q, position) === 'and' && saysBoth(q, position) ? ('all' as const) : ('any' as const),
              parts,
            },
          ],
        },
      },
    ];
  });
}

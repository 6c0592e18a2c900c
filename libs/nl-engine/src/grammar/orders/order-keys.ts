import type { LinkedQuestion } from '../../link/linked-question.js';
import { isNumeric } from '../../resolve/fits-literal.js';
import { isKey } from '../../resolve/is-key.js';
import type { Aggregate, Interpretation, OrderKey } from '../../types.js';
import { addMention } from '../draft.js';
import { readEntities } from '../noun-phrase.js';
import { findNumberColumns, readColumns, toRef } from '../nouns/column-phrases.js';
import { matchPhrase, type Parsed, phraseSet, wordAt } from '../reader.js';

export function readKey(
  q: LinkedQuestion,
  interpretation: Interpretation,
): { piece: Parsed<OrderKey>; draft: Interpretation['draft'] }[] {
  const { draft } = interpretation;
  const found: { piece: Parsed<OrderKey>; draft: Interpretation['draft'] }[] = [];
  const count = matchPhrase(
    q,
    interpretation.position,
    phraseSet('number of|the number of|total number of|count of|how many'),
  );
  if (count > 0) {
    for (const entity of readEntities(q, count)) {
      const known = draft.mentions.findIndex((mention) =>
        mention.links.some((link) => entity.value.links.some((other) => other.table === link.table)),
      );
      const placed =
        known >= 0
          ? draft
          : addMention(draft, { links: entity.value.links }, Math.min(0, draft.mentions.length - 1));
      const rival = findNumberColumns(q, count).some(
        ({ to, links }) =>
          to === entity.position &&
          links.some((link) =>
            draft.mentions.some((mention) => mention.links.some((own) => own.table === link.table)),
          ),
      )
        ? 0.6
        : 0;
      found.push({
        piece: {
          position: entity.position,
          cost: entity.cost + rival,
          value: { kind: 'count', mention: known >= 0 ? known : placed.focus },
        },
        draft: { ...placed, focus: draft.focus },
      });
    }
    // `by number of sales` may refer to a column.
    for (const column of readColumns(q, count)) {
      const links = column.value.links.filter(
        (link) => isNumeric(link.column) && link.isPart !== true && !isKey(link.table, link.column),
      );
      if (links.length > 0)
        found.push({
          piece: {
            position: column.position,
            cost: column.cost + 0.15,
            value: { kind: 'column', column: { ...toRef(column.value), links }, fn: null },
          },
          draft,
        });
    }
  }
  for (const entity of readEntities(q, interpretation.position)) {
    const known = draft.targets.find(
      (target) =>
        target.kind === 'count' &&
        draft.mentions[target.mention]?.links.some((link) =>
          entity.value.links.some((other) => other.table === link.table),
        ) === true,
    );
    if (known?.kind === 'count' && ['count', 'counts'].includes(wordAt(q, entity.position)))
      found.push({
        piece: {
          position: entity.position + 1,
          cost: entity.cost,
          value: { kind: 'count', mention: known.mention },
        },
        draft,
      });
  }
  const size = matchPhrase(
    q,
    interpretation.position,
    phraseSet(
      'frequency|number|count|counts|the count|their count|the frequency|their frequency|the number|number of records|the number of records|occurrences|number of occurrences',
    ),
  );
  const counted = draft.targets.find((target) => target.kind === 'count');
  if (size > 0)
    found.push({
      piece: {
        position: size,
        cost: 0.15,
        value: counted?.kind === 'count' ? { kind: 'count', mention: counted.mention } : { kind: 'size' },
      },
      draft,
    });
  const aggregate = matchPhrase(
    q,
    interpretation.position,
    phraseSet('average|mean|total|sum of|maximum|minimum'),
  );
  const fn: Aggregate | null =
    aggregate < 0
      ? null
      : (({ average: 'avg', mean: 'avg', total: 'sum', sum: 'sum', maximum: 'max', minimum: 'min' } as const)[
          wordAt(q, interpretation.position)
        ] ?? null);
  for (const column of readColumns(q, aggregate < 0 ? interpretation.position : aggregate))
    found.push({
      piece: {
        position: column.position,
        cost: column.cost,
        value: { kind: 'column', column: toRef(column.value), fn },
      },
      draft,
    });
  // In `the average rating of each product, sorted by rating`, the order refers to the shown average.
  if (aggregate < 0)
    found.push(
      ...listShownNumbers(q, interpretation.position, draft).map((parsed) => ({ piece: parsed, draft })),
    );
  const entityOwned = readEntities(q, interpretation.position).flatMap((entity) =>
    readColumns(q, wordAt(q, entity.position) === "'s" ? entity.position + 1 : entity.position).map(
      (column) => ({ entity, column }),
    ),
  );
  for (const { entity, column } of entityOwned) {
    const owner = draft.mentions.findIndex((mention) =>
      mention.links.some((link) => entity.value.links.some((other) => other.table === link.table)),
    );
    if (owner >= 0)
      found.push({
        piece: {
          position: column.position,
          cost: entity.cost + column.cost,
          value: { kind: 'column', column: toRef(column.value, owner), fn: null },
        },
        draft,
      });
  }
  return found;
}

function listShownNumbers(
  q: LinkedQuestion,
  position: number,
  { targets }: Interpretation['draft'],
): Parsed<OrderKey>[] {
  return readColumns(q, position).flatMap((column) =>
    targets.flatMap((target) => {
      if (target.kind !== 'column' || target.fn === null) return [];
      const isSame = target.column.links.some((link) =>
        column.value.links.some((other) => other.column === link.column),
      );
      return isSame
        ? [
            {
              position: column.position,
              cost: column.cost,
              value: { kind: 'column' as const, column: target.column, fn: target.fn },
            },
          ]
        : [];
    }),
  );
}

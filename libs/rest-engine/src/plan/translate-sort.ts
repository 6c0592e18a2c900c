import { splitNames } from './plan-select.js';

/** No realistic order is longer than this. */
const LENGTH_MAX = 300;
/** Matches a direction after a name: `.desc.nullslast`, ` DESC NULLS LAST` or `:desc_nulls_last`. */
const DIRECTED = /([.: ])(asc|desc)(?:ending)?(?:[._: ]nulls?[._ -]?(first|last))?$/i;
const NULLS_ALONE = /[._: ]nulls?[._ -]?(first|last)$/i;
/** Matches a direction without a name before it. */
const NAMELESS = /^(?:asc|desc)(?:ending)?[._: ]nulls?[._ -]?(?:first|last)$|^nulls?[._ -]?(?:first|last)$/i;
const KEY = /^[-+]?[\w.:]+$/;

/**
 * Translates a sort key from the notation of SQL or other data APIs. Returns null if it has neither a
 * direction nor a position of NULLs, or if it already has the notation of this API.
 */
export function translateSortKey(
  part: string,
): { readonly text: string; readonly saysNulls: boolean } | null {
  if (part.length > LENGTH_MAX) return null;
  const unqualified = part.replace(/^[+ ]/, '');
  const directed = DIRECTED.exec(unqualified);
  if (directed !== null) {
    const [, mark, direction = '', nulls] = directed;
    const name = unqualified.slice(0, directed.index).replace(/^-/, '');
    if (name === '' || (mark === ':' && nulls === undefined)) return null;
    return {
      text: `${direction.toLowerCase() === 'desc' ? '-' : ''}${name}${toNulls(nulls)}`,
      saysNulls: nulls !== undefined,
    };
  }
  const alone = NULLS_ALONE.exec(unqualified);
  return alone === null || alone.index === 0
    ? null
    : { text: `${unqualified.slice(0, alone.index)}${toNulls(alone[1])}`, saysNulls: true };
}

/** Returns a hint for an `order` that has sort keys or a position of NULLs. */
export function translateSort(order: string): string {
  if (NAMELESS.test(order))
    return 'Each key of sort says where NULL stands: sort=-created_at:nulls_first,id.';
  const parts = order.length > LENGTH_MAX ? [] : splitNames(order).map((part) => part.trim());
  const translated = parts.map((part) => translateSortKey(part)?.text ?? part);
  const isSort =
    parts.length > 0 &&
    translated.every((key) => KEY.test(key)) &&
    (parts.length > 1 || translated[0] !== parts[0] || /^-|[.:]/.test(order));
  return `Columns stand in sort, with - in front for downwards: sort=${isSort ? translated.join(',') : '-created_at,id'}.`;
}

function toNulls(nulls: string | undefined): string {
  return nulls === undefined ? '' : `:nulls_${nulls.toLowerCase()}`;
}

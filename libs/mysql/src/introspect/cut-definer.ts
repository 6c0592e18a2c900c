/**
 * An account as SHOW CREATE writes it: in backquotes, or in double quotes when the object was created under
 * ANSI_QUOTES.
 */
const ACCOUNT_PART = '(?:`(?:[^`]|``)*`|"(?:[^"]|"")*")';
const DEFINER = new RegExp(
  `^(CREATE\\s+(?:OR\\s+REPLACE\\s+)?(?:ALGORITHM=\\w+\\s+)?)DEFINER=${ACCOUNT_PART}@${ACCOUNT_PART}\\s+`,
);

/** Removes the DEFINER clause from a view, trigger or routine as SHOW CREATE returns it. */
export function cutDefiner(createSql: string): string {
  return createSql.replace(DEFINER, '$1');
}

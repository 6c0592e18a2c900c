/** Statements in dumps that contain neither definitions nor rows. */

const HARMLESS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:DROP|CREATE|ALTER)\s+(?:DATABASE|SCHEMA)\b/i,
    'Statements about the database itself were omitted, because the database already exists.',
  ],
  [
    /^(?:ANALYZE|OPTIMIZE|CHECK|REPAIR|CHECKSUM|FLUSH|RESET|PURGE)\b/i,
    'Maintenance statements were omitted.',
  ],
  [/^(?:SHOW|DESC|DESCRIBE|EXPLAIN|HELP)\b/i, 'Statements that only show information were omitted.'],
  // A SELECT with INTO is not included, because it writes to a variable or a file.
  [/^SELECT\b(?!.*\bINTO\b)/is, 'Statements that only show information were omitted.'],
  [/^(?:ALTER\s+TABLE\s+\S+\s+(?:DISABLE|ENABLE)\s+KEYS)$/i, ''],
];

/**
 * Returns the note for a harmless statement, which may be empty and is reported once. Returns null for other
 * statements.
 */
export function findHarmlessFault(sql: string): string | null {
  return HARMLESS.find(([pattern]) => pattern.test(sql))?.[1] ?? null;
}

const RUN_LATER = 'Run it over a connection after the import.';
const REJECTED: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:UPDATE|DELETE|TRUNCATE|WITH|CALL|DO|SELECT)\b/i,
    `is not run by an import, which only stores the rows of the dump. ${RUN_LATER}`,
  ],
  [
    /^LOAD\s+(?:DATA|XML)\b/i,
    'reads a file that is not part of the dump. Send its rows with a rows import (POST /v1/{table} with CSV), or dump them as INSERT.',
  ],
  [
    /^(?:SOURCE|\\\.)/i,
    'refers to another file. Combine the files into one, in the order in which they load, and ' +
      'import it.',
  ],
  [/^(?:PREPARE|EXECUTE|DEALLOCATE)\b/i, `runs SQL that the dump computes. ${RUN_LATER}`],
  [
    /^CREATE\s+(?:DEFINER\s*=\s*\S+\s+)?(?:OR\s+REPLACE\s+)?EVENT\b/i,
    'is not supported, because Rowhouse does not run scheduled events. Call your own procedure ' +
      'from a scheduler instead.',
  ],
];

/**
 * Returns why a statement that changes rows or reads other data is rejected, and what to do. Returns null for
 * other statements.
 */
export function findComputedRejection(sql: string): string | null {
  const reason = REJECTED.find(([pattern]) => pattern.test(sql))?.[1];
  if (reason === undefined) return null;
  const word = /^[\w\\.]+/.exec(sql)?.[0].toUpperCase() ?? '';
  return `${word === 'CREATE' ? 'EVENT' : word} ${reason}`;
}

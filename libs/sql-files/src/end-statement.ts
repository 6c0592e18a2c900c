const MARKS = [';;', '//', '$$', '@@', '||'];

/**
 * Returns a statement with its terminator.
 * A body of several statements gets a delimiter that it does not contain.
 */
export function endStatement(statement: string): string {
  if (!/^CREATE\s+(?:OR\s+REPLACE\s+)?(?:AGGREGATE\s+)?(?:TRIGGER|PROCEDURE|FUNCTION)\b/i.test(statement))
    return `${statement};\n`;
  if (!statement.includes(';')) return `${statement};\n`;
  const mark = chooseMark(statement);
  return `DELIMITER ${mark}\n${statement} ${mark}\nDELIMITER ;\n`;
}

function chooseMark(statement: string): string {
  const found = MARKS.find((mark) => !statement.includes(mark));
  if (found !== undefined) return found;
  let length = 3;
  while (statement.includes(';'.repeat(length))) length += 1;
  return ';'.repeat(length);
}

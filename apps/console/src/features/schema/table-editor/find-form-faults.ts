import type { TableForm } from './table-form.js';

/** Lists what makes a form impossible to preview, as text. The database checks everything else. */
export function findFormFaults(form: TableForm): string[] {
  const faults: string[] = [];
  const columns = form.columns.filter((column) => !column.isDropped);
  if (form.name.trim() === '') faults.push('The table needs a name.');
  if (columns.length === 0) faults.push('The table needs at least one column.');
  if (columns.some((column) => column.name.trim() === '')) faults.push('Every column needs a name.');
  if (columns.some((column) => column.type.trim() === '')) faults.push('Every column needs a type.');
  const seen = new Set<string>();
  for (const { name } of columns) {
    const lower = name.toLowerCase();
    if (name !== '' && seen.has(lower)) faults.push(`Two columns are named ${name}.`);
    seen.add(lower);
  }
  if (form.indexes.some((index) => !index.isDropped && index.columns.length === 0))
    faults.push('An index needs at least one column.');
  if (
    form.foreignKeys.some(
      (key) =>
        !key.isDropped &&
        (key.to === '' || key.columns.length === 0 || key.columns.length !== key.toColumns.length),
    )
  )
    faults.push('A foreign key needs a table and one referenced column per column.');
  if (form.checks.some((check) => !check.isDropped && check.expression.trim() === ''))
    faults.push('A check needs an expression.');
  return faults;
}

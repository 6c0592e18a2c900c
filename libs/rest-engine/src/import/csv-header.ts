import { faultAt, validationError } from '@rowhouse/errors';
import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import { createFaultList } from '../request/fault-list.js';
import { findGenerated } from '../plan/plan-row.js';
import { findMemberColumn } from '../plan/plan-body.js';
import { FIELDS_MAX, type CsvField } from './csv-record.js';

/** The meaning of each field of a record, according to the header line. */
export interface CsvHeader {
  readonly names: readonly string[];
  /** The column of each field. Null marks a name that this database ignores. */
  readonly columns: readonly (CompiledColumn | null)[];
}

/** Returns the columns that the header line names. Throws 422 with all its faults. */
export function readCsvHeader(
  table: CompiledTable,
  fields: readonly CsvField[],
  unknownFields: 'reject' | 'ignore',
): CsvHeader {
  const faults = createFaultList('body.invalid');
  if (fields.length > FIELDS_MAX)
    throw validationError('body.invalid', [
      faultAt(
        ['body'],
        `Line 1: it has more than ${FIELDS_MAX} fields, and no table has more columns.`,
        'csv_header',
      ),
    ]);
  const names = fields.map((field) => field ?? '');
  const columns = names.map((name, index) => {
    const loc = ['body', name];
    if (name === '')
      faults.add(
        ['body'],
        `Line 1: column ${index + 1} has no name.`,
        'csv_header',
        'The first line of CSV names the columns.',
      );
    else if (names.indexOf(name) !== index)
      faults.add(loc, `Line 1: the column ${JSON.stringify(name)} is named twice.`, 'csv_header');
    else
      return (
        findGenerated(table, name) ??
        findMemberColumn(table, name, loc, unknownFields, faults, () =>
          faults.add(loc, 'Line 1: related records are not written along from CSV.', 'csv_header'),
        )
      );
    return null;
  });
  const [only = ''] = names;
  if (names.length === 1 && columns[0] === null && /[;\t|]/.test(only))
    faults.add(
      ['body'],
      'Line 1: fields are parted by commas.',
      'csv_header',
      'Save the file with commas between its fields.',
    );
  faults.throwIfAny();
  return { names, columns };
}

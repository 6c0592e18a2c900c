import type { CompiledColumn } from '@rowhouse/schema-model';

/** A column with default properties that belongs to no table. */
export const PLAIN_COLUMN: CompiledColumn = {
  name: '', type: '', sqlType: '', valueKind: 'string', nullable: true, default: { kind: 'null' }, autoIncrement: false, generated: null, invisible: false,
  unsigned: false, maxLength: null, precision: null, scale: null, fraction: null, charset: null, collation: null, labels: null, onUpdateNow: false, comment: '',
  format: null, definition: '', position: 0, quoted: '', hidden: false, srid: null, triggerFilled: false, required: false,
};

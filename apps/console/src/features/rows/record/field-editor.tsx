import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useId, useState, type ChangeEvent, type ReactNode } from 'react';
import { countBase64Bytes, describeBytes } from '../../../data/rows/cell-text.js';
import { kindOf, shortType } from '../../../data/rows/column-kinds.js';
import { fromTimeInput, toTimeInput } from '../../../data/rows/time-input.js';
import type { ColumnView } from '../../../data/schema/read-tables.js';
import classes from './record-sheet.module.css';

/**
 * The content of a field in the editor. Null means NULL. Undefined means that the stored value, or the
 * default of a new row, is unchanged.
 */
export type FieldText = string | null | undefined;

interface FieldEditorProps {
  readonly column: ColumnView;
  readonly value: FieldText;
  readonly fault: string | undefined;
  readonly isChanged: boolean;
  readonly isReadOnly: boolean;
  readonly isNew: boolean;
  readonly onChange: (value: FieldText) => void;
  /** Content that is shown below the field, such as the record that a foreign key references. */
  readonly children?: ReactNode;
}

const BYTES_MAX = 4 * 1024 * 1024;
const TOO_LARGE = 'Upload files over 4 MiB through the API.';

/** Edits one field of a record according to its type. NULL is distinct from an empty string. */
export function FieldEditor(props: FieldEditorProps) {
  const { column, value, fault, isChanged, isReadOnly, isNew, onChange, children } = props;
  const id = useId();
  const isFixed = isReadOnly || column.isGenerated;
  return (
    <div className={classes.field}>
      <div className={classes.label}>
        <label htmlFor={id}>{column.name}</label>
        <span className={classes.type}>
          {shortType(column)}
          {column.valueKind === 'timestamp' ? ' · UTC' : ''}
          {column.isGenerated ? ' · computed' : column.isRequired ? ' · required' : ''}
          {isChanged ? <span className={classes.changed}> · edited</span> : null}
        </span>
        {column.nullable && !isFixed ? (
          <span className={classes.nullChoice}>
            <input
              type="checkbox"
              id={`${id}-null`}
              checked={value === null}
              onChange={(event) => onChange(event.currentTarget.checked ? null : isNew ? undefined : '')}
            />
            <label htmlFor={`${id}-null`} style={{ fontWeight: 400, fontSize: 'inherit' }}>
              NULL<span className="rh-spoken"> for {column.name}</span>
            </label>
          </span>
        ) : null}
      </div>
      <FieldInput {...props} id={id} isFixed={isFixed} />
      {kindOf(column) === 'binary' ? (
        <BytesNote column={column} value={value} isFixed={isFixed} onChange={onChange} />
      ) : null}
      {children}
      {fault === undefined ? null : (
        <p className={classes.fault} role="alert" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

function FieldInput({
  column,
  value,
  fault,
  isNew,
  onChange,
  id,
  isFixed,
}: FieldEditorProps & { readonly id: string; readonly isFixed: boolean }) {
  const kind = kindOf(column);
  const choices = kind === 'bool' ? ['true', 'false'] : kind === 'enum' ? column.labels : null;
  const placeholder =
    value === null
      ? 'NULL'
      : isNew
        ? column.autoIncrement
          ? 'Generated automatically'
          : column.default === null
            ? ''
            : `default: ${column.default}`
        : '';
  if (choices) {
    const none =
      value === null
        ? ['NULL']
        : value === undefined
          ? [column.default === null ? '' : `default: ${column.default}`]
          : [];
    return (
      <NativeSelect
        id={id}
        size="xs"
        disabled={isFixed}
        error={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : `${id}-fault`}
        value={value ?? none[0] ?? ''}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {none.map((label) => (
          <option key={label} value={label} disabled={value === null}>
            {label}
          </option>
        ))}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </NativeSelect>
    );
  }
  const shared = {
    id,
    size: 'xs' as const,
    readOnly: isFixed,
    error: fault !== undefined,
    'aria-describedby': fault === undefined ? undefined : `${id}-fault`,
    value: value ?? '',
    placeholder,
    spellCheck: false,
    autoComplete: 'off',
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange(event.currentTarget.value),
  };
  if (kind === 'long' || kind === 'json')
    return (
      <Textarea
        {...shared}
        className={kind === 'json' ? classes.mono : ''}
        rows={Math.max(3, Math.min(14, (value ?? '').split('\n').length + 1))}
        resize="vertical"
      />
    );
  const picker = isFixed ? null : toTimeInput(column, value ?? '');
  if (picker !== null)
    return (
      <TextInput
        {...shared}
        type={picker.type}
        step={picker.step}
        // The browser's inputs show no placeholder.
        description={picker.value === '' && placeholder !== '' ? placeholder : undefined}
        value={picker.value}
        onChange={(event) => onChange(fromTimeInput(column, event.currentTarget.value))}
      />
    );
  return (
    <TextInput
      {...shared}
      className={kind === 'text' ? '' : classes.mono}
      inputMode={kind === 'number' ? 'decimal' : undefined}
    />
  );
}

/** Lets the user download a binary value as a file, and replace it with the content of a file. */
function BytesNote({
  column,
  value,
  isFixed,
  onChange,
}: {
  column: ColumnView;
  value: FieldText;
  isFixed: boolean;
  onChange: (value: FieldText) => void;
}) {
  const id = useId();
  const [isTooLarge, setTooLarge] = useState(false);
  const take = async (file: File | undefined): Promise<void> => {
    setTooLarge(file !== undefined && file.size > BYTES_MAX);
    if (file === undefined || file.size > BYTES_MAX) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    onChange(btoa(text));
  };
  return (
    <div className={classes.note}>
      <span>base64{value ? `, ${describeBytes(countBase64Bytes(value))}` : ''}</span>
      {value ? (
        <a href={`data:application/octet-stream;base64,${value}`} download={`${column.name}.bin`}>
          Download
        </a>
      ) : null}
      {isFixed ? null : (
        <>
          <label htmlFor={id}>Upload file</label>
          <input id={id} type="file" onChange={(event) => void take(event.currentTarget.files?.[0])} />
          {isTooLarge ? (
            <span className={classes.fault} role="alert">
              {TOO_LARGE}
            </span>
          ) : null}
        </>
      )}
    </div>
  );
}

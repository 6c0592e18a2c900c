import {
  describeRules,
  type ApiReference,
  type ReferenceField,
  type ReferenceGroup,
} from '@rowhouse/emitters/reference';
import { useEffect, useRef } from 'react';
import { OperationView } from './operation-view.js';
import type { PageRoute } from './page-route.js';
import { PlainText } from './plain-text.js';

interface GroupViewProps {
  readonly reference: ApiReference;
  readonly docsUrl: string;
  readonly group: ReferenceGroup;
  readonly route: PageRoute;
  readonly onNeedKey: () => void;
}

/** The reference of one table: its operations and its fields. */
export function GroupView({ reference, docsUrl, group, route, onNeedKey }: GroupViewProps) {
  return (
    <>
      <h1 tabIndex={-1}>{group.name}</h1>
      <p className="dim">
        <PlainText text={group.description} />{' '}
        <a href={`${docsUrl}/tables/${encodeURIComponent(group.name)}.md`}>Markdown</a>
      </p>
      <section aria-label="Operations">
        <h2>Operations</h2>
        {group.operations.map((operation) => (
          <OperationView
            key={operation.id}
            reference={reference}
            docsUrl={docsUrl}
            operation={operation}
            isTarget={route.operation === operation.id}
            onNeedKey={onNeedKey}
          />
        ))}
      </section>
      {group.isTable && group.fields.length > 0 ? <Fields group={group} target={route.field} /> : null}
    </>
  );
}

function Fields({ group, target }: { group: ReferenceGroup; target: string | null }) {
  return (
    <section aria-label="Fields">
      <h2>Fields</h2>
      <div className="scroller" tabIndex={0} role="group" aria-label={`Fields of ${group.name}`}>
        <table>
          <thead>
            <tr>
              {['Field', 'Type', 'Rules', 'Description'].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {group.fields.map((field) => (
              <FieldRow key={field.name} field={field} isTarget={field.name === target} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function FieldRow({ field, isTarget }: { field: ReferenceField; isTarget: boolean }) {
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (isTarget) row.current?.scrollIntoView({ block: 'center' });
  }, [isTarget]);
  return (
    <tr ref={row} data-target={isTarget || undefined}>
      <th scope="row">
        <code>{field.name}</code>
      </th>
      <td>
        <code>{field.type}</code>
      </td>
      <td>{describeRules(field)}</td>
      <td>
        <PlainText text={field.description} />
      </td>
    </tr>
  );
}

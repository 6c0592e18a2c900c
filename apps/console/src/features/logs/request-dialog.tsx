import type { RequestItem } from '@rowhouse/contracts';
import { CopyButton } from '../../ui/code/copy-button.js';
import { Dialog } from '../../ui/dialogs/lazy-dialog.js';
import { writeExactTime } from '../../ui/formatting/describe-time.js';
import { formatCount, formatMilliseconds } from '../../ui/formatting/format-number.js';
import { Tag } from '../../ui/layout/tag.js';
import classes from './logs.module.css';
import { nameRoute } from './name-route.js';
import { nameKey, toneOfStatus } from './request-table.js';

/** Shows all details of a request in the log. The log never contains values, bodies or keys. */
export function RequestDialog({ item, onClose }: { item: RequestItem | null; onClose: () => void }) {
  return (
    <Dialog
      opened={item !== null}
      onClose={onClose}
      size="lg"
      title={item === null ? 'Request' : nameRoute(item.route) || item.method}
    >
      {item === null ? null : (
        <dl className={classes.facts}>
          <div>
            <dt>Status</dt>
            <dd>
              <Tag mono tone={toneOfStatus(item.status)}>
                {String(item.status)}
              </Tag>
            </dd>
          </div>
          {item.code === '' ? null : (
            <div>
              <dt>Code</dt>
              <dd className="rh-mono">{item.code}</dd>
            </div>
          )}
          <div>
            <dt>Duration</dt>
            <dd>{formatMilliseconds(item.duration_ms)}</dd>
          </div>
          <div>
            <dt>Rows</dt>
            <dd>{formatCount(item.rows_out)}</dd>
          </div>
          <div>
            <dt>Time</dt>
            <dd>{writeExactTime(new Date(item.at))}</dd>
          </div>
          <div>
            <dt>Key</dt>
            <dd>{nameKey(item)}</dd>
          </div>
          <div className={classes.wide}>
            <dt>Request ID</dt>
            <dd className={classes.id}>
              <code>{item.request_id}</code> <CopyButton text={item.request_id} label="Copy request ID" />
            </dd>
          </div>
          {item.shape === null ? null : (
            <div className={classes.wide}>
              <dt>Query shape</dt>
              <dd className="rh-mono">{item.shape}</dd>
            </div>
          )}
        </dl>
      )}
    </Dialog>
  );
}

import type { DatabaseResponse, ProjectResponse } from '@rowhouse/contracts';
import { IconBook2, IconBraces, IconExternalLink, IconPlugConnected, IconTable } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { describeEngineOf } from '../../data/engines/queries.js';
import { toGatewayAddress } from '../../data/gateway/call-gateway.js';
import { CopyButton } from '../../ui/code/copy-button.js';
import { HouseGlyph } from '../../ui/theme/house-glyph.js';
import { Panel } from '../../ui/layout/panel.js';
import { Tag } from '../../ui/layout/tag.js';
import { TimeText } from '../../ui/formatting/time-text.js';
import classes from './overview.module.css';

/** A panel next to the overview with facts about a database and links to common pages. */
export function DatabaseFacts({
  project,
  database,
}: {
  project: ProjectResponse;
  database: DatabaseResponse;
}) {
  const engine = describeEngineOf(database);
  const params = { projectId: project.id, environment: database.environment };
  return (
    <>
      <Panel title="This database">
        <dl className={classes.facts}>
          <div>
            <dt>Environment</dt>
            <dd>
              <span className={classes.house}>
                <HouseGlyph environment={database.environment} /> {database.environment}
              </span>
            </dd>
          </div>
          <div>
            <dt>State</dt>
            <dd>
              <Tag
                dot
                tone={database.state === 'ready' ? 'pine' : database.state === 'failed' ? 'brick' : 'ochre'}
              >
                {database.state}
              </Tag>
            </dd>
          </div>
          {engine === null ? null : (
            <div>
              <dt>Engine</dt>
              <dd>{engine}</dd>
            </div>
          )}
          {database.region === null ? null : (
            <div>
              <dt>Region</dt>
              <dd>{database.region}</dd>
            </div>
          )}
          <div>
            <dt>Schema</dt>
            <dd>version {database.snapshot_number}</dd>
          </div>
          <div>
            <dt>Created</dt>
            <dd>
              <TimeText iso={database.created_at} />
            </dd>
          </div>
          <div>
            <dt>ID</dt>
            <dd>
              <span className={classes.id}>
                <span className="rh-mono" title={database.id}>
                  {database.id}
                </span>{' '}
                <CopyButton text={database.id} label="Copy database ID" />
              </span>
            </dd>
          </div>
        </dl>
      </Panel>
      <Panel title="Next steps">
        <ul className={classes.links}>
          <li>
            <Link to="/projects/$projectId/$environment/connect" params={params} search={{ tab: 'direct' }}>
              <IconPlugConnected size={16} aria-hidden /> Connection string
            </Link>
          </li>
          <li>
            <Link to="/projects/$projectId/$environment/schema" params={params}>
              <IconTable size={16} aria-hidden /> Change the schema
            </Link>
          </li>
          <li>
            <Link to="/projects/$projectId/$environment/api" params={params}>
              <IconBook2 size={16} aria-hidden /> API reference
            </Link>
          </li>
          {database.settings.docs_enabled ? (
            <>
              <li>
                <a href={database.docs_url} target="_blank" rel="noreferrer">
                  <IconExternalLink size={16} aria-hidden /> Interactive docs
                </a>
              </li>
              <li>
                <a
                  href={toGatewayAddress(database.base_url, `/openapi/${database.docs_slug}`)}
                  target="_blank"
                  rel="noreferrer"
                >
                  <IconBraces size={16} aria-hidden /> OpenAPI document
                </a>
              </li>
            </>
          ) : null}
        </ul>
      </Panel>
    </>
  );
}

import { useEffect, type ReactNode } from 'react';
import { endFirstPage } from '../../first/end-first-page.js';
import { BrandMark } from '../../ui/theme/house-glyph.js';
import { StreetScene } from '../../ui/theme/street-scene.js';
import { useNarrow } from '../../ui/layout/use-narrow.js';
import { SchemeSwitch } from '../shell/scheme-switch.js';
import classes from './auth-frame.module.css';

/** The layout of the sign-in pages: a form on one side, and a preview of the product on the other. */
export function AuthFrame({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  const isNarrow = useNarrow();
  useEffect(endFirstPage, []);
  useEffect(() => {
    document.title = `${title} · Rowhouse`;
  }, [title]);
  return (
    <div className={classes.frame}>
      <main className={classes.form}>
        <div className={classes.top}>
          <span className={classes.brand}>
            <BrandMark size={30} /> Rowhouse
          </span>
          <SchemeSwitch />
        </div>
        <div className={classes.inner}>
          <h1>{title}</h1>
          {lead === undefined ? null : <p className={classes.lead}>{lead}</p>}
          {children}
        </div>
      </main>
      <aside className={classes.scene} aria-label="About Rowhouse">
        {isNarrow ? null : <Pitch />}
        <div className={classes.street}>
          <StreetScene />
        </div>
      </aside>
    </div>
  );
}

function Pitch() {
  return (
    <div className={classes.pitch}>
      <p className={classes.line}>Every project gets a house of its own.</p>
      <ul>
        <li>A MySQL-compatible database for development and production</li>
        <li>A REST API for every table that follows your schema</li>
        <li>Zero-downtime schema changes</li>
        <li>API docs, keys and a direct connection string</li>
      </ul>
    </div>
  );
}

import { createContext, useContext, useEffect, type ReactNode } from 'react';
import { RenderInOrder } from '../loading/render-in-order.js';
import { endFirstPage } from '../../first/end-first-page.js';
import classes from './page.module.css';

/** The breadcrumb that each page shows above its heading. The layout provides it. */
export const PageTrailContext = createContext<ReactNode>(null);

interface PageProps {
  readonly title: string;
  /** The title of the browser tab. Defaults to the page's title. */
  readonly documentTitle?: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly wide?: boolean;
}

/** The frame of each screen: a heading, a line about the screen's purpose, and its actions. */
export function Page({ title, documentTitle = title, lead, actions, children, wide = false }: PageProps) {
  const trail = useContext(PageTrailContext);
  useEffect(endFirstPage, []);
  useEffect(() => {
    document.title = `${documentTitle} · Rowhouse`;
  }, [documentTitle]);
  return (
    <div className={classes.page} data-wide={wide || undefined}>
      <header className={classes.head}>
        <div className={classes.words}>
          {trail}
          <h1>{title}</h1>
          {lead === undefined ? null : <p>{lead}</p>}
        </div>
        {actions === undefined ? null : <div className={classes.actions}>{actions}</div>}
      </header>
      <RenderInOrder>{children}</RenderInOrder>
    </div>
  );
}

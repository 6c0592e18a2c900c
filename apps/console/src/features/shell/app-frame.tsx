import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMenu2, IconPlugConnected } from '@tabler/icons-react';
import { Link, Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { BrandMark } from '../../ui/theme/house-glyph.js';
import { Later } from '../../ui/loading/lazy-part.js';
import { PageTrailContext } from '../../ui/layout/page.js';
import { ToastShelf } from '../../ui/notices/toast-shelf.js';
import { useNarrow } from '../../ui/layout/use-narrow.js';
import { PaletteTrigger } from '../palette/palette-trigger.js';
import { AccountMenu } from './account-menu.js';
import classes from './app-frame.module.css';
import { EnvironmentSwitch } from './environment-switch.js';
import { ProjectNav } from './project-nav.js';
import { ProjectSwitch } from './project-switch.js';
import { SchemeSwitch } from './scheme-switch.js';
import { Trail } from './trail.js';
import { ButtonLink, IconLink } from '../../ui/layout/links.js';
import type { PageLocation } from './pages.js';

const MenuDrawer = lazy(() => import('./menu-drawer.js').then((module) => ({ default: module.MenuDrawer })));

const TRAIL = <Trail />;

/** The header, the sidebar and the current page of the signed-in console. */
export function AppFrame() {
  const { projectId, environment } = useParams({ strict: false });
  const [isMenuOpen, menu] = useDisclosure(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => menu.close(), [path, menu.close]);
  const isNarrow = useNarrow();
  const location = projectId !== undefined && environment !== undefined ? { projectId, environment } : null;
  return (
    <div className={classes.frame} data-project={location !== null || undefined}>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <header className={classes.header}>
        {location && isNarrow ? (
          <ActionIcon aria-label="Open menu" aria-expanded={isMenuOpen} onClick={menu.open} size="lg">
            <IconMenu2 size={20} />
          </ActionIcon>
        ) : null}
        <Link to="/projects" className={classes.brand} aria-label="Rowhouse, all projects">
          <BrandMark size={26} />
          <span className={classes.name}>Rowhouse</span>
        </Link>
        {location ? <ProjectSwitch {...location} /> : null}
        {location && !isNarrow ? <EnvironmentSwitch {...location} /> : null}
        <span className={classes.gap} />
        <PaletteTrigger isNarrow={isNarrow} />
        {location ? <ConnectButton location={location} isNarrow={isNarrow} /> : null}
        {isNarrow ? null : <SchemeSwitch />}
        <AccountMenu />
      </header>
      {location && !isNarrow ? (
        <aside className={classes.side}>
          <Later>
            <ProjectNav {...location} />
          </Later>
        </aside>
      ) : null}
      <main className={classes.main} id="main" tabIndex={-1}>
        {location && isNarrow ? (
          <div className={classes.environments}>
            <EnvironmentSwitch {...location} isWide />
          </div>
        ) : null}
        <PageTrailContext value={TRAIL}>
          <Outlet />
        </PageTrailContext>
      </main>
      <ToastShelf />
      {location && isMenuOpen ? (
        <Suspense fallback={null}>
          <MenuDrawer location={location} onClose={menu.close} />
        </Suspense>
      ) : null}
    </div>
  );
}

/**
 * A button that opens the connection details from any page of a project: the base URL, an API key and a
 * connection string.
 */
function ConnectButton({ location: pageLocation, isNarrow }: { location: PageLocation; isNarrow: boolean }) {
  if (isNarrow) {
    return (
      <IconLink
        to="/projects/$projectId/$environment/connect"
        params={pageLocation}
        aria-label="Connect"
        variant="filled"
        color="pine"
        size="lg"
      >
        <IconPlugConnected size={18} />
      </IconLink>
    );
  }
  return (
    <ButtonLink
      to="/projects/$projectId/$environment/connect"
      params={pageLocation}
      size="xs"
      leftSection={<IconPlugConnected size={15} />}
    >
      Connect
    </ButtonLink>
  );
}

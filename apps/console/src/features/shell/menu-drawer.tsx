import { Drawer } from '@mantine/core';
import { ProjectNav } from './project-nav.js';
import type { PageLocation } from './pages.js';

/** The sidebar on narrow screens. Its code is loaded when it is first opened. */
export function MenuDrawer({
  location: pageLocation,
  onClose,
}: {
  location: PageLocation;
  onClose: () => void;
}) {
  return (
    <Drawer opened onClose={onClose} title="Menu" size={270} padding="sm">
      <ProjectNav {...pageLocation} />
    </Drawer>
  );
}

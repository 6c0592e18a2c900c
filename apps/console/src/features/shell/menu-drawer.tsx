import { Drawer } from '@mantine/core';
import { ProjectNav } from './project-nav.js';
import type { Place } from './rooms.js';

/** The sidebar of narrow screens. It is loaded when it is first opened. */
export function MenuDrawer({ place, onClose }: { place: Place; onClose: () => void }) {
  return (
    <Drawer opened onClose={onClose} title="Menu" size={270} padding="sm">
      <ProjectNav {...place} />
    </Drawer>
  );
}

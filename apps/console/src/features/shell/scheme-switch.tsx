import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';

/**
 * Switches between the light and the dark color scheme. Until the user does so, the operating system's
 * setting applies.
 */
export function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const visible = useComputedColorScheme('light');
  const other = visible === 'dark' ? 'light' : 'dark';
  const label = visible === 'dark' ? 'Light mode' : 'Dark mode';
  return (
    <ActionIcon size="lg" aria-label={label} title={label} onClick={() => setColorScheme(other)}>
      {visible === 'dark' ? <IconSun size={18} /> : <IconMoon size={18} />}
    </ActionIcon>
  );
}

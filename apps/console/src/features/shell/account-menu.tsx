import { useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconLogout, IconMoon, IconSun, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useLogout } from '../../data/session/mutations.js';
import { sessionQuery } from '../../data/session/queries.js';
import { Dropdown, DropdownDivider, DropdownItem } from '../../ui/controls/dropdown.js';
import classes from './account-menu.module.css';

const SCHEMES = [
  { value: 'auto', label: 'System theme', icon: <IconDeviceDesktop size={15} /> },
  { value: 'light', label: 'Light', icon: <IconSun size={15} /> },
  { value: 'dark', label: 'Dark', icon: <IconMoon size={15} /> },
] as const;

/** Shows the signed-in account, the color scheme and the sign-out action. */
export function AccountMenu() {
  const session = useQuery(sessionQuery);
  const logout = useLogout();
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const email = session.data?.account.email ?? '';
  return (
    <Dropdown
      label="Account menu"
      align="end"
      triggerClassName={classes.avatar}
      trigger={(email[0] ?? '?').toUpperCase()}
    >
      <div className={classes.who} role="presentation">
        {session.data?.account.name ? <strong>{session.data.account.name}</strong> : null}
        <span>{email}</span>
      </div>
      <DropdownDivider />
      <DropdownItem icon={<IconUser size={15} />} onSelect={() => void navigate({ to: '/account' })}>
        Your account
      </DropdownItem>
      <DropdownDivider />
      {SCHEMES.map((scheme) => (
        <DropdownItem
          key={scheme.value}
          icon={scheme.icon}
          isChosen={colorScheme === scheme.value}
          onSelect={() => setColorScheme(scheme.value)}
        >
          {scheme.label}
        </DropdownItem>
      ))}
      <DropdownDivider />
      <DropdownItem
        icon={<IconLogout size={15} />}
        onSelect={() => logout.mutate(undefined, { onSettled: () => void navigate({ to: '/login' }) })}
      >
        Sign out
      </DropdownItem>
    </Dropdown>
  );
}

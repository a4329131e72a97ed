import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { signOut } from '@sluice/client';
import { setPreferences, type Preferences } from '@sluice/ui/lib/preferences.ts';
import { usePreferences } from '@sluice/ui/lib/use-preferences.ts';
import type { MenuPlace } from '@sluice/ui/menu-button.tsx';
import { MenuGroup, MenuItem, MenuSeparator, PlacedMenu } from '@sluice/ui/menu.tsx';
import { forgetSession, sluice } from '@sluice/console-core/api/client.ts';
import { accountQuery, ownTenantsQuery } from '@sluice/console-core/api/queries.ts';
import { queryClient } from '@sluice/console-core/api/query-client.ts';
import { useTenantId } from '@sluice/console-core/parts/tenant.ts';

/** What the menus of the frame have in them; it is loaded with the first that is opened. */

export function AppearanceMenu({ place }: { place: MenuPlace }) {
  const { theme, zone } = usePreferences();
  return (
    <PlacedMenu place={place}>
      <MenuGroup
        title="Theme"
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[theme]}
        onSelectionChange={(keys) => setPreferences({ theme: [...keys][0] as Preferences['theme'] })}
      >
        <MenuItem id="system">As the system</MenuItem>
        <MenuItem id="light">Light</MenuItem>
        <MenuItem id="dark">Dark</MenuItem>
      </MenuGroup>
      <MenuGroup
        title="Times"
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[zone]}
        onSelectionChange={(keys) => setPreferences({ zone: [...keys][0] as Preferences['zone'] })}
      >
        <MenuItem id="local">Local time</MenuItem>
        <MenuItem id="utc">UTC</MenuItem>
      </MenuGroup>
    </PlacedMenu>
  );
}

export function OrganizationsMenu({ place }: { place: MenuPlace }) {
  const tenantId = useTenantId();
  const { data: tenants } = useQuery(ownTenantsQuery);
  const navigate = useNavigate();
  return (
    <PlacedMenu
      place={place}
      selectionMode="single"
      selectedKeys={[tenantId]}
      onAction={(key) =>
        void navigate(
          key === 'all'
            ? { to: '/organizations' }
            : { to: '/t/$tenantId', params: { tenantId: Number(key) } },
        )
      }
    >
      {(tenants?.items ?? []).map(({ id, name }) => (
        <MenuItem key={id} id={id}>
          {name}
        </MenuItem>
      ))}
      <MenuItem id="all">All organizations</MenuItem>
    </PlacedMenu>
  );
}

export function AccountMenu({ place }: { place: MenuPlace }) {
  const { data: account } = useQuery(accountQuery);
  const navigate = useNavigate();
  const end = async () => {
    await signOut({ client: sluice });
    forgetSession();
    queryClient.clear();
    await navigate({ to: '/sign-in', search: {} });
  };
  return (
    <PlacedMenu
      place={place}
      onAction={(key) => {
        if (key === 'sign_out') void end();
        if (key === 'account') void navigate({ to: '/account', search: {} });
      }}
    >
      <MenuItem id="who" isDisabled note={account?.email}>
        {account?.name ?? ''}
      </MenuItem>
      <MenuSeparator />
      <MenuItem id="account">Your account</MenuItem>
      <MenuItem id="sign_out">Sign out</MenuItem>
    </PlacedMenu>
  );
}

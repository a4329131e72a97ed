import { setPreferences, usePreferences, type Preferences } from '@sluice/ui/lib/preferences.ts';
import { IconButton } from '@sluice/ui/button.tsx';
import { ThemeIcon } from '@sluice/ui/icons.tsx';
import { Menu, MenuGroup, MenuItem } from '@sluice/ui/menu.tsx';

/** How the console looks: theme and time zone. */
export function ThemeMenu() {
  const { theme, zone } = usePreferences();
  return (
    <Menu aria-label="Appearance" trigger={<IconButton label="Appearance" icon={<ThemeIcon />} />}>
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
    </Menu>
  );
}

import { lazy, memo } from 'react';
import { IconButton } from '@sluice/ui/button.tsx';
import { ThemeIcon } from '@sluice/ui/icons.tsx';
import { MenuButton } from '@sluice/ui/menu-button.tsx';

const AppearanceMenu = lazy(() =>
  import('./menus.tsx').then(({ AppearanceMenu: component }) => ({ default: component })),
);

/** How the console looks: theme and time zone. */
export const ThemeMenu = memo(() => (
  <MenuButton
    menu={AppearanceMenu}
    trigger={(opens) => <IconButton {...opens} label="Appearance" icon={<ThemeIcon />} />}
  />
));
ThemeMenu.displayName = 'ThemeMenu';

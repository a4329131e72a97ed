import { memo, Suspense, useCallback, useEffect, useState, type ReactNode } from 'react';
import { lazyPart } from '@sluice/ui/lib/lazy-part.ts';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useFeed } from '@sluice/console-core/api/feeds.ts';
import { accountQuery, contextQuery } from '@sluice/console-core/api/queries.ts';
import { useIsOldPage } from '@sluice/console-core/api/release.ts';
import { useShortcut } from '@sluice/console-core/lib/shortcuts.ts';
import { useTenantId } from '@sluice/console-core/parts/tenant.ts';
import { Button, IconButton } from '@sluice/ui/button.tsx';
import { AccountIcon, ChevronIcon, HelpIcon, MenuIcon, SearchIcon } from '@sluice/ui/icons.tsx';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { MenuButton } from '@sluice/ui/menu-button.tsx';
import { whenSettled } from '@sluice/ui/lib/idle.ts';
import { Later } from '@sluice/ui/lib/later.tsx';
import { Breadcrumbs } from '@sluice/ui/page.tsx';
import { loadToasts } from '@sluice/ui/toast.tsx';
import { BreadcrumbContext } from '@sluice/console-core/parts/breadcrumb.ts';
import { navigation } from './navigation.tsx';
import { ThemeMenu } from './theme-menu.tsx';
import styles from './shell.module.css';

const Palette = lazyPart(() => import('./palette.tsx'), 'Palette');
const KeyHelp = lazyPart(() => import('./key-help.tsx'), 'KeyHelp');
const AccountMenu = lazyPart(() => import('./menus.tsx'), 'AccountMenu');
const OrganizationsMenu = lazyPart(() => import('./menus.tsx'), 'OrganizationsMenu');

// a first press is answered at once, and an error is shown also where the connection is gone by then
const loadMenusLater = () =>
  whenSettled(() => void Promise.all([import('./menus.tsx'), loadToasts()]).catch(() => undefined));

/** The frame of all pages of a tenant: navigation at the side, breadcrumb, search and appearance in the head. */
export const Shell = () => (
  <Later meanwhile={<p className="starting">Sluice</p>}>
    <Frame />
  </Later>
);

function Frame() {
  const tenantId = useTenantId();
  const navigate = useNavigate();
  const [isSideOpen, setSideOpen] = useState(false);
  const [opened, setOpened] = useState<'palette' | 'help'>();
  const [crumbs, setCrumbs] = useState<readonly ReactNode[]>([]);
  const isLoading = useRouterState({ select: ({ status }) => status === 'pending' });
  useFeed(tenantId);
  useEffect(loadMenusLater, []);
  useShortcut(
    'palette',
    useCallback(() => setOpened('palette'), []),
  );
  useShortcut(
    'help',
    useCallback(() => setOpened('help'), []),
  );
  useShortcut(
    'overview',
    useCallback(() => void navigate({ to: '/t/$tenantId', params: { tenantId } }), [navigate, tenantId]),
  );
  useShortcut(
    'deployments',
    useCallback(
      () => void navigate({ to: '/t/$tenantId/deployments', params: { tenantId } }),
      [navigate, tenantId],
    ),
  );
  const closeSide = useCallback(() => setSideOpen(false), []);
  const close = (isOpen: boolean) => setOpened((one) => (isOpen ? one : undefined));
  return (
    <BreadcrumbContext value={setCrumbs}>
      <a href="#main" className={styles.skip}>
        Skip to the content
      </a>
      <div className={styles.shell}>
        <aside className={styles.side} data-open={isSideOpen}>
          <TenantSwitcher tenantId={tenantId} />
          <Navigation tenantId={tenantId} onOpen={closeSide} />
        </aside>
        {isSideOpen && (
          <button
            type="button"
            className={styles.veil}
            aria-label="Close the navigation"
            onClick={closeSide}
          />
        )}
        <div className={styles.main}>
          <OldPageBanner />
          <header className={styles.head}>
            <span className={styles.narrowOnly}>
              <IconButton label="Navigation" icon={<MenuIcon />} onPress={() => setSideOpen(true)} />
            </span>
            <div className={styles.crumbs}>
              <Breadcrumbs items={crumbs} />
            </div>
            <Button
              size="small"
              onPress={() => setOpened('palette')}
              icon={<SearchIcon />}
              className={styles.find}
            >
              <span>Find</span>
              <kbd aria-hidden>Ctrl K</kbd>
            </Button>
            <IconButton label="Keys" shortcut="?" icon={<HelpIcon />} onPress={() => setOpened('help')} />
            <ThemeMenu />
            <AccountButton />
          </header>
          <main id="main" tabIndex={-1} className={styles.content} aria-busy={isLoading}>
            <Later>
              <Outlet />
            </Later>
          </main>
        </div>
      </div>
      <Suspense>
        {opened === 'palette' && <Palette isOpen onOpenChange={close} />}
        {opened === 'help' && <KeyHelp isOpen onOpenChange={close} />}
      </Suspense>
    </BreadcrumbContext>
  );
}

// the frame is drawn again when the page sets its breadcrumb; its parts are not

const Navigation = memo(function Navigation({ tenantId, onOpen }: { tenantId: number; onOpen: () => void }) {
  return (
    <nav aria-label="Main">
      <Later>
        {(['run', 'people', 'organization'] as const).map((group) => (
          <ul key={group}>
            {navigation
              .filter((entry) => entry.group === group)
              .map(({ to, title, icon }) => (
                <li key={to}>
                  <Link
                    look="plain"
                    to={to}
                    params={{ tenantId }}
                    activeOptions={{ exact: to === '/t/$tenantId', includeSearch: false }}
                    onClick={onOpen}
                  >
                    {icon}
                    {title}
                  </Link>
                </li>
              ))}
          </ul>
        ))}
      </Later>
    </nav>
  );
});

const TenantSwitcher = memo(function TenantSwitcher({ tenantId }: { tenantId: number }) {
  const { data: context } = useQuery(contextQuery(tenantId));
  const name = context?.tenant.name ?? '';
  return (
    <div className={styles.tenant}>
      <MenuButton
        menu={OrganizationsMenu}
        trigger={(opens) => (
          <Button {...opens} kind="quiet">
            <span className="visually-hidden">Organization</span>
            <span className={styles.mark} aria-hidden>
              {name.slice(0, 1)}
            </span>
            <span className={styles.tenantName}>{name}</span>
            <ChevronIcon />
          </Button>
        )}
      />
    </div>
  );
});

const AccountButton = memo(function AccountButton() {
  const { data: account } = useQuery(accountQuery);
  const label = account ? `Account of ${account.name}` : 'Account';
  return (
    <MenuButton
      menu={AccountMenu}
      trigger={(opens) => <IconButton {...opens} label={label} icon={<AccountIcon />} />}
    />
  );
});

function OldPageBanner() {
  const isOld = useIsOldPage();
  if (!isOld) return null;
  return (
    <div className={styles.banner} role="status">
      The console has been upgraded. This page is of the version before.
      <Button size="small" onPress={() => location.reload()}>
        Reload
      </Button>
    </div>
  );
}

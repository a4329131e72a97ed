import type { ReactNode } from 'react';
import {
  AuditIcon,
  BellIcon,
  BillingIcon,
  DeploymentsIcon,
  KeyIcon,
  OverviewIcon,
  PeopleIcon,
  RolesIcon,
  SettingsIcon,
} from '@sluice/ui/icons.tsx';

export interface NavigationEntry {
  to:
    | '/t/$tenantId'
    | '/t/$tenantId/deployments'
    | '/t/$tenantId/people'
    | '/t/$tenantId/roles'
    | '/t/$tenantId/api-keys'
    | '/t/$tenantId/audit'
    | '/t/$tenantId/billing'
    | '/t/$tenantId/notifications'
    | '/t/$tenantId/organization';
  title: string;
  icon: ReactNode;
  /** entries of a group stand together */
  group: 'run' | 'people' | 'organization';
}

/** The entries at the side, in their order. Each page adds itself here. */
export const navigation: readonly NavigationEntry[] = [
  { to: '/t/$tenantId', title: 'Overview', icon: <OverviewIcon />, group: 'run' },
  { to: '/t/$tenantId/deployments', title: 'Deployments', icon: <DeploymentsIcon />, group: 'run' },
  { to: '/t/$tenantId/people', title: 'People', icon: <PeopleIcon />, group: 'people' },
  { to: '/t/$tenantId/roles', title: 'Roles', icon: <RolesIcon />, group: 'people' },
  { to: '/t/$tenantId/api-keys', title: 'API keys', icon: <KeyIcon />, group: 'people' },
  { to: '/t/$tenantId/notifications', title: 'Notifications', icon: <BellIcon />, group: 'organization' },
  { to: '/t/$tenantId/audit', title: 'Audit', icon: <AuditIcon />, group: 'organization' },
  { to: '/t/$tenantId/billing', title: 'Billing', icon: <BillingIcon />, group: 'organization' },
  {
    to: '/t/$tenantId/organization',
    title: 'Organization',
    icon: <SettingsIcon />,
    group: 'organization',
  },
];

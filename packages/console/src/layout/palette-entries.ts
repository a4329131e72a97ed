import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { actions, type ActionName } from '@sluice/console-core/api/actions.ts';
import { allows } from '@sluice/console-core/api/permissions.ts';
import { contextQuery, membersQuery, structureQuery } from '@sluice/console-core/api/queries.ts';
import { useTenantId } from '@sluice/console-core/parts/tenant.ts';
import { navigation } from './navigation.tsx';

export interface Entry {
  key: string;
  name: string;
  /** where it is, or who it is; searched too */
  note?: string;
  icon?: ReactNode;
  open: () => void;
}

export interface EntryGroup {
  title: string;
  entries: Entry[];
}

/** entries of a group that are shown */
const most = 20;

/** Everything that the palette finds, by kind. People and actions are those that the caller may see and take. */
export function usePaletteEntries(): EntryGroup[] {
  const tenantId = useTenantId();
  const navigate = useNavigate();
  const { data: context } = useQuery(contextQuery(tenantId));
  const { data: structure } = useQuery(structureQuery(tenantId));
  const may = (name: ActionName) => context !== undefined && allows(context.permissions, actions[name]);
  const mayReadMembers =
    context !== undefined && allows(context.permissions, { scope: 'tenant', permission: 'member:read' });
  const { data: members } = useQuery({ ...membersQuery(tenantId), enabled: mayReadMembers });
  const params = { tenantId };

  const pages = navigation.map(({ to, title, icon }) => ({
    ...{ key: to, name: title, icon },
    open: () => void navigate({ to, params }),
  }));
  const deployments = (structure?.divisions ?? []).flatMap((division) =>
    division.environments.flatMap((environment) =>
      environment.deployments.map(({ id, name }) => ({
        ...{ key: `deployment ${id}`, name, note: `${division.name} / ${environment.name}` },
        open: () =>
          void navigate({
            to: '/t/$tenantId/d/$divisionId/$environmentId/$deploymentId',
            params: {
              ...params,
              ...{ divisionId: division.id, environmentId: environment.id, deploymentId: id },
            },
          }),
      })),
    ),
  );
  const people = (members?.items ?? []).map(({ id, name, email }) => ({
    ...{ key: `member ${id}`, name, note: email },
    open: () => void navigate({ to: '/t/$tenantId/people/$memberId', params: { ...params, memberId: id } }),
  }));
  const offered = [
    ['createDeployment', () => void navigate({ to: '/t/$tenantId/deployments/new', params })],
    ['inviteMember', () => void navigate({ to: '/t/$tenantId/people', params, search: { new: true } })],
    ['createKey', () => void navigate({ to: '/t/$tenantId/api-keys', params, search: { new: true } })],
    ['createRole', () => void navigate({ to: '/t/$tenantId/roles/new', params })],
    [
      'createChannel',
      () => void navigate({ to: '/t/$tenantId/notifications', params, search: { new: true } }),
    ],
  ] as const;
  const taken = offered
    .filter(([name]) => may(name))
    .map(([name, open]) => ({ key: `action ${name}`, name: actions[name].label, open }));
  return [
    { title: 'Pages', entries: pages },
    { title: 'Actions', entries: taken },
    { title: 'Deployments', entries: deployments },
    { title: 'People', entries: people },
  ];
}

/** The groups with what fits, at most some of each. */
export function fitting(groups: readonly EntryGroup[], fits: (text: string) => boolean): EntryGroup[] {
  return groups
    .map(({ title, entries }) => ({
      title,
      entries: entries.filter((entry) => fits(textOf(entry))).slice(0, most),
    }))
    .filter(({ entries }) => entries.length > 0);
}

/** What is searched of an entry. */
export const textOf = ({ name, note }: Entry): string => (note === undefined ? name : `${note} / ${name}`);

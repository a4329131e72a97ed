import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Action } from '../api/action.ts';
import { actions, type ActionName } from '../api/actions.ts';
import { allows, type ActionPlace } from '../api/permissions.ts';
import { contextQuery, membersQuery } from '../api/queries.ts';
import { Button, type ButtonProps } from '@sluice/ui/button.tsx';
import { useTenantId } from './tenant.ts';

export interface Allowed {
  /** undefined until it is known */
  isAllowed: boolean | undefined;
  /** for a person who may not: which permission it needs, and who can grant it; undefined where it is allowed */
  reason: ReactNode;
}

/** Whether the caller may take an action at a place of the tenant. The API decides in the end, from the same permission. */
export function useAllowed(name: ActionName, place: ActionPlace = {}): Allowed {
  const tenantId = useTenantId();
  const { data: context } = useQuery(contextQuery(tenantId));
  const action: Action = actions[name];
  const isAllowed =
    context &&
    [action, ...(action.or ? [action.or] : [])].some((needed) => allows(context.permissions, needed, place));
  const mayRead =
    context !== undefined && allows(context.permissions, { scope: 'tenant', permission: 'member:read' });
  const { data: members } = useQuery({ ...membersQuery(tenantId), enabled: isAllowed === false && mayRead });
  if (isAllowed !== false) return { isAllowed, reason: undefined };
  const granting = (members?.items ?? []).filter(({ active, roles }) => active && roles.includes('admin'));
  const names = granting.slice(0, 3).map(({ name: person }) => person);
  return {
    isAllowed,
    reason: (
      <>
        It needs the permission {action.permission} ({action.scope}).{' '}
        {names.length > 0
          ? `${names.join(', ')} can grant it.`
          : 'An administrator of the organization can grant it.'}
      </>
    ),
  };
}

/** The button of an action. Who may not take it sees it disabled, with the permission that it needs and who can grant it. */
export function ActionButton({
  action,
  on,
  children,
  ...props
}: Omit<ButtonProps, 'disabledReason'> & { action: ActionName; on?: ActionPlace }) {
  const { isAllowed, reason } = useAllowed(action, on);
  return (
    <Button
      {...props}
      isDisabled={isAllowed === undefined || props.isDisabled === true}
      disabledReason={reason}
    >
      {children ?? actions[action].label}
    </Button>
  );
}

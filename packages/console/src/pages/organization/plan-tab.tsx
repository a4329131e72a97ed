import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { changeSubscription, type Features, type Limit, type Plan, type Tenant } from '@sluice/client';
import { limitsQuery, tenantQuery } from '@sluice/console-core/api/catalogue.ts';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { useTenantId } from '@sluice/console-core/parts/tenant.ts';
import { Select } from '@sluice/ui/choice.tsx';
import { Card, DescriptionList, Time } from '@sluice/ui/data.tsx';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Status } from '@sluice/ui/status.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { refreshKinds } from '../people/queries.ts';
import { limitTitle } from './settings-form.ts';
import styles from './organization.module.css';

const plans = ['basic', 'pro', 'enterprise'] as const satisfies readonly Plan[];

/** The plan, what it has, and what is used of its limits. */
export function PlanTab() {
  const tenantId = useTenantId();
  const { data: tenant, error, refetch } = useQuery(tenantQuery(tenantId));
  const limits = useQuery(limitsQuery(tenantId));
  if (!tenant)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonLines count={8} />;
  const features = Object.entries(tenant.features).filter(
    (entry): entry is [keyof Features, boolean] => typeof entry[1] === 'boolean',
  );
  return (
    <>
      <PlanCard tenant={tenant} />
      <Card title="What the plan has">
        <ul className={styles.features}>
          {features.map(([name, isThere]) => (
            <li key={name}>
              <Status kind={isThere ? 'ok' : 'idle'}>
                {limitTitle(name)}
                {!isThere && <span className={layout.muted}>, not in this plan</span>}
              </Status>
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Limits" flush>
        <DataTable
          name="limits"
          label="Limits"
          rows={limits.data}
          columns={columns}
          rowKey={({ name }) => name}
          error={limits.error ?? undefined}
          onRetry={() => void limits.refetch()}
          isBare
          toolbar={
            <AsCode command={['limits']} request={{ method: 'GET', path: `/tenants/${tenantId}/limits` }} />
          }
          empty={<EmptyState title="No limits" />}
        />
      </Card>
    </>
  );
}

function PlanCard({ tenant }: { tenant: Tenant }) {
  const { plan, valid_to: end } = tenant.subscription;
  const [chosen, setChosen] = useState<Plan>(plan);
  const [isAsked, setAsked] = useState(false);
  const body = { plan: chosen };
  return (
    <Card title="Plan">
      <div className={layout.closeStack}>
        <DescriptionList
          items={[
            ['Plan', plan],
            ['Renews', <Time key="end" at={end} isExact />],
            ['Payment', tenant.has_payment_method ? 'a card or an agreement is there' : 'none yet'],
          ]}
        />
        <div className={layout.row}>
          <div className={styles.plan}>
            <Select
              hideLabel
              label="Another plan"
              options={plans.map((key) => ({ key, label: key, ...(key === plan && { note: 'as it is' }) }))}
              value={chosen}
              onChange={(key) => key && setChosen(key)}
            />
          </div>
          <ActionButton action="changePlan" isDisabled={chosen === plan} onPress={() => setAsked(true)} />
          <AsCode
            command={['plan', 'change', chosen]}
            request={{ method: 'PUT', path: `/tenants/${tenant.id}/subscription`, body }}
          />
        </div>
      </div>
      <ConfirmDialog
        title={`Change to the plan ${chosen}`}
        isOpen={isAsked}
        onOpenChange={setAsked}
        action="Change the plan"
        onConfirm={async () => {
          await changeSubscription({ client, path: { tenant_id: tenant.id }, body });
          toast(`The plan ${chosen} is in force`);
          await refreshKinds(tenant.id, 'tenant', 'context', 'limits', 'subscription');
        }}
      >
        It is in force at once, and changes what you pay. It is refused when you have more of something than
        the plan allows.
      </ConfirmDialog>
    </Card>
  );
}

const columns: Column<Limit>[] = [
  {
    id: 'name',
    title: 'Limit',
    isFixed: true,
    sortBy: ({ name }) => limitTitle(name),
    cell: ({ name }) => <span title={name}>{limitTitle(name)}</span>,
  },
  {
    id: 'scope',
    title: 'For each',
    wideOnly: true,
    sortBy: ({ scope }) => scope,
    cell: ({ scope }) => (scope === 'tenant' ? 'organization' : scope.replace('_', ' ')),
  },
  {
    id: 'used',
    title: 'Used',
    sortBy: ({ used, limit }) => (used === null ? -1 : used / Math.max(limit, 1)),
    cell: ({ name, used, limit }) =>
      used === null ? (
        <span className={layout.muted}>up to {limit}; the region counts</span>
      ) : (
        <span className={styles.used}>
          <meter min={0} max={Math.max(limit, 1)} value={used} aria-label={limitTitle(name)} />
          {used >= limit ? (
            <Status kind="warn">
              {used} of {limit}
            </Status>
          ) : (
            <span>
              {used} of {limit}
            </span>
          )}
        </span>
      ),
  },
];

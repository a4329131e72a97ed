import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { deleteBudget, type Budget, type Structure } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { structureQuery } from '@sluice/console-core/api/queries.ts';
import { microsOf, percentOf } from '@sluice/console-core/lib/micros.ts';
import type { StatusKind } from '@sluice/ui/lib/status.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Card, Money } from '@sluice/ui/data.tsx';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Status } from '@sluice/ui/status.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { BudgetDialog } from './budget-dialog.tsx';
import { budgetQuery, budgetsQuery, refreshBilling } from './queries.ts';
import styles from './billing.module.css';

const route = getRouteApi('/t/$tenantId/billing/budgets');

/** What months may cost. Nothing stops when a budget is reached; channels are notified. */
export function BudgetsTab() {
  const { tenantId } = route.useParams();
  const { data, error, refetch } = useQuery(budgetsQuery(tenantId));
  const { data: structure } = useQuery(structureQuery(tenantId));
  const [opened, setOpened] = useState<{ dialog: 'edit' | 'delete'; budget?: Budget }>();
  const add = (
    <ActionButton action="createBudget" kind="primary" onPress={() => setOpened({ dialog: 'edit' })} />
  );
  const close = () => setOpened(undefined);
  return (
    <Card title="Budgets" flush actions={data && data.items.length > 0 && add}>
      {!data &&
        (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonLines count={4} />)}
      {data?.items.length === 0 && (
        <EmptyState title="No budgets yet" actions={add}>
          A budget tells your channels at 50, 80 and 100 % of an amount, and when a month will exceed it.
        </EmptyState>
      )}
      <ul className={styles.budgets}>
        {data?.items.map((budget) => (
          <BudgetItem
            key={budget.id}
            tenantId={tenantId}
            budget={budget}
            about={coverageOf(budget, structure)}
            onEdit={() => setOpened({ dialog: 'edit', budget })}
            onDelete={() => setOpened({ dialog: 'delete', budget })}
          />
        ))}
      </ul>
      {opened?.dialog === 'edit' && (
        <BudgetDialog tenantId={tenantId} budget={opened.budget} structure={structure} onClose={close} />
      )}
      {opened?.dialog === 'delete' && opened.budget && (
        <DeleteBudget tenantId={tenantId} budget={opened.budget} onClose={close} />
      )}
    </Card>
  );
}

/** What a budget is about, in words. */
function coverageOf({ division, environment, label }: Budget, structure: Structure | undefined): string {
  if (label) return `Deployments with ${label.key}=${label.value}`;
  for (const { id, name, environments } of structure?.divisions ?? []) {
    if (id === division && environment === null) return name;
    const found = environments.find((one) => one.id === environment);
    if (found) return `${name} / ${found.name}`;
  }
  if (division === null && environment === null) return 'All of the organization';
  return structure ? 'A place that you may not see' : '';
}

interface ItemProps {
  tenantId: number;
  budget: Budget;
  about: string;
  onEdit: () => void;
  onDelete: () => void;
}

function BudgetItem({
  tenantId,
  budget: { id, name, amount_usd: amount },
  about,
  onEdit,
  onDelete,
}: ItemProps) {
  const { data } = useQuery(budgetQuery(tenantId, id));
  const whole = microsOf(amount);
  const spent = data && microsOf(data.spent_usd);
  const percent = spent === undefined ? 0 : percentOf(spent, whole);
  return (
    <li>
      <div className={styles.line}>
        <span>
          <span className={layout.name}>{name}</span> <span className={layout.muted}>{about}</span>
        </span>
        <span className={layout.row}>
          <ActionButton action="changeBudget" size="small" onPress={onEdit} />
          <ActionButton action="deleteBudget" size="small" onPress={onDelete} />
        </span>
      </div>
      <meter
        min={0}
        max={100}
        low={80}
        high={99.9}
        optimum={0}
        value={percent}
        aria-label={`Spent of ${name}`}
      />
      {data && spent !== undefined ? (
        <div className={styles.line}>
          <span>
            <Money amount={data.spent_usd} /> of <Money amount={amount} />
          </span>
          <Standing spent={spent} forecast={microsOf(data.forecast_usd)} whole={whole}>
            <Money amount={data.forecast_usd} />
          </Standing>
        </div>
      ) : (
        <Skeleton width="12rem" />
      )}
    </li>
  );
}

interface StandingProps {
  spent: bigint;
  forecast: bigint;
  whole: bigint;
  children: React.ReactNode;
}

function Standing({ spent, forecast, whole, children }: StandingProps) {
  const [kind, word]: [StatusKind, string] =
    spent >= whole
      ? ['bad', 'Reached; forecast']
      : forecast > whole
        ? ['warn', 'Will be exceeded; forecast']
        : ['ok', 'Forecast'];
  return (
    <Status kind={kind}>
      {word} {children}
    </Status>
  );
}

function DeleteBudget({
  tenantId,
  budget: { id, name },
  onClose,
}: {
  tenantId: number;
  budget: Budget;
  onClose: () => void;
}) {
  return (
    <ConfirmDialog
      title={`Delete the budget ${name}`}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      action="Delete"
      onConfirm={async () => {
        await deleteBudget({ client, path: { tenant_id: tenantId, budget_id: id } });
        toast(`The budget ${name} is deleted`);
        await refreshBilling(tenantId);
      }}
    >
      <p>Channels get no more notifications of it. Nothing else changes.</p>
      <AsCode
        command={['billing', 'budgets', 'delete', name, '--yes']}
        request={{ method: 'DELETE', path: `/tenants/${tenantId}/billing/budgets/${id}` }}
      />
    </ConfirmDialog>
  );
}

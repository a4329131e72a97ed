import { useQuery } from '@tanstack/react-query';
import type { Tier } from '@sluice/client';
import { limitsQuery, tenantQuery } from '@sluice/console-core/api/catalogue.ts';
import { Card } from '@sluice/ui/data.tsx';
import { Note, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Status } from '@sluice/ui/status.tsx';
import layout from '@sluice/ui/layout.module.css';
import { lackingIn, limitsFor } from './create-values.ts';
import styles from './create.module.css';

/** What the plan leaves, and what it lacks. */
export function PlanCard({ tenantId, tier, tierName }: { tenantId: number; tier: Tier; tierName: string }) {
  const { data: limits, error } = useQuery(limitsQuery(tenantId));
  const { data: tenant } = useQuery(tenantQuery(tenantId));
  const lacking = tenant ? lackingIn(tenant.features) : [];
  if (error) return null;
  return (
    <Card title={tenant ? `Plan ${tenant.subscription.plan}` : 'Plan'}>
      <div className={layout.closeStack}>
        {!limits && <SkeletonLines count={3} />}
        {limits && (
          <ul className={styles.limits}>
            {limitsFor(limits, tier, tierName).map(({ name, used, limit }) => (
              <li key={name}>
                <span className={layout.muted}>{name}</span>
                <Status kind={used >= limit ? 'warn' : 'ok'}>
                  {used} of {limit} used
                </Status>
                <meter min={0} max={Math.max(limit, 1)} value={used} aria-label={name} />
              </li>
            ))}
          </ul>
        )}
        {tenant && !tenant.has_payment_method && tier !== 'free' && (
          <Note>There is no payment method yet. Deployments of this tier need one.</Note>
        )}
        {lacking.length > 0 && (
          <div>
            <h3>Not in this plan</h3>
            <ul className={layout.muted}>
              {lacking.map((name) => (
                <li key={name}>{name}</li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </Card>
  );
}

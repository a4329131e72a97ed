import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import {
  createPaymentIntent,
  deletePaymentMethod,
  type PaymentIntent,
  type PaymentMethod,
} from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Card, DescriptionList, Time } from '@sluice/ui/data.tsx';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { ErrorState, Note, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { ExternalLink } from '@sluice/console-core/parts/link.tsx';
import { Status } from '@sluice/ui/status.tsx';
import { toast, toastError } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { InfoCard } from './info-card.tsx';
import { paymentMethodQuery, refreshBilling } from './queries.ts';

const route = getRouteApi('/t/$tenantId/billing/payment');

/** How invoices are paid, and whom they are made out to. */
export function PaymentTab() {
  const { tenantId } = route.useParams();
  return (
    <div className={layout.stack}>
      <MethodCard tenantId={tenantId} />
      <InfoCard tenantId={tenantId} />
    </div>
  );
}

function MethodCard({ tenantId }: { tenantId: number }) {
  const { data: method, error, refetch } = useQuery(paymentMethodQuery(tenantId));
  const [intent, setIntent] = useState<PaymentIntent>();
  const [isPending, setPending] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const path = `/tenants/${tenantId}/billing/payments`;
  const open = async () => {
    setPending(true);
    try {
      setIntent((await createPaymentIntent({ client, path: { tenant_id: tenantId } })).data);
    } catch (thrown) {
      toastError(thrown);
    }
    setPending(false);
  };
  return (
    <Card
      title="Payment"
      actions={
        method?.kind === 'card' && (
          <ActionButton action="deletePaymentMethod" size="small" onPress={() => setDeleting(true)} />
        )
      }
    >
      <div className={layout.stack}>
        {method === undefined &&
          (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonLines count={3} />)}
        {method === null && <p>There is no card yet. What is owed is charged once there is one.</p>}
        {method && <Method method={method} />}
        {method !== undefined && method?.kind !== 'agreement' && (
          <div className={layout.row}>
            <ActionButton
              action="saveCard"
              kind={method === null ? 'primary' : 'plain'}
              isPending={isPending}
              onPress={() => void open()}
            >
              {method === null ? 'Save a card' : 'Replace the card'}
            </ActionButton>
            <AsCode
              command={['billing', 'payment-method', 'setup']}
              request={{ method: 'POST', path: `${path}/intents` }}
            />
          </div>
        )}
        {intent && (
          <Note>
            <p>
              The card is entered on the page of the payment provider; its number never comes here.{' '}
              <ExternalLink href={intent.url}>Open the page of the provider</ExternalLink>
            </p>
            <p className={layout.muted}>
              It is open until <Time at={intent.expires_at} isExact />. Once the card is saved there, it is
              shown here.
            </p>
          </Note>
        )}
      </div>
      {method?.card && (
        <ConfirmDialog
          title="Delete the card"
          isOpen={isDeleting}
          onOpenChange={setDeleting}
          action="Delete"
          name={method.card.last4}
          onConfirm={async () => {
            await deletePaymentMethod({ client, path: { tenant_id: tenantId } });
            toast('The card is deleted');
            await refreshBilling(tenantId);
          }}
        >
          <p>
            Without a card nothing can be created that costs. It is refused while anything is owed or runs.
          </p>
          <AsCode
            command={['billing', 'payment-method', 'delete', '--yes']}
            request={{ method: 'DELETE', path: `${path}/method` }}
          />
        </ConfirmDialog>
      )}
    </Card>
  );
}

function Method({ method: { kind, card, term_days: days, valid } }: { method: PaymentMethod }) {
  if (kind === 'agreement')
    return (
      <DescriptionList
        items={[
          ['Method', 'By agreement'],
          ['Term', days === null ? 'none' : `${days} days from the issue of an invoice`],
        ]}
      />
    );
  return (
    <DescriptionList
      items={[
        ['Card', card && `${card.brand} ending in ${card.last4}`],
        ['Valid until', card && `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`],
        [
          'Status',
          <Status key="status" kind={valid ? 'ok' : 'bad'}>
            {valid ? 'Can be charged' : 'Cannot be charged: replace it'}
          </Status>,
        ],
      ]}
    />
  );
}

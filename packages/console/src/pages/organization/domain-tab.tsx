import { useQuery } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import {
  getTenantConfig,
  replaceTenantConfig,
  type TenantConfig,
  type TenantConfigInput,
} from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { versioned, type Versioned } from '@sluice/console-core/api/versions.ts';
import { useAllowed } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { EditedForm } from '@sluice/console-core/parts/edited-form.tsx';
import { useMeanwhile } from '@sluice/console-core/parts/meanwhile.tsx';
import { useTenantId } from '@sluice/console-core/parts/tenant.ts';
import { Select } from '@sluice/ui/choice.tsx';
import { Card, DescriptionList, Time } from '@sluice/ui/data.tsx';
import { ErrorState, Note, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Switch } from '@sluice/ui/field.tsx';
import { Form } from '@sluice/ui/form.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { refreshKinds } from '../people/queries.ts';
import { joiningQuery } from './queries.ts';
import styles from './organization.module.css';

const policies = [
  { key: 'invite_only', label: 'By invitation only' },
  { key: 'request_to_join', label: 'They ask, and a member decides' },
  { key: 'open', label: 'They become members with the role viewer' },
] as const;

const locks = [
  [
    'block_external_invitations',
    'Other organizations cannot invite people of the domain',
    'People with an address of the domain stay here.',
  ],
  [
    'enforce_domain_only_invitations',
    'Only people of the domain can be invited',
    'Invitations to other addresses are refused.',
  ],
] as const;

/** The e-mail domain, and how people with an address of it come in. */
export function DomainTab() {
  const tenantId = useTenantId();
  const { data: config, error, refetch } = useQuery(joiningQuery(tenantId));
  if (!config)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonLines count={6} />;
  return (
    <div className={styles.stack}>
      <Card title="Domain">
        {config.email_domain === undefined ? (
          <Note>
            The organization has no e-mail domain. One is claimed when an organization is founded by a person
            with an address of it.
          </Note>
        ) : (
          <DescriptionList
            items={[
              ['Domain', config.email_domain],
              ['Verified', <Time key="at" at={config.email_domain_verified_at ?? null} isExact />],
            ]}
          />
        )}
      </Card>
      <Card title="Joining">
        <EditedForm of={['joining', tenantId]} read={readJoining(tenantId)}>
          {(first) => <JoiningForm tenantId={tenantId} first={first} />}
        </EditedForm>
      </Card>
    </div>
  );
}

const readJoining = (tenant_id: number) => () => versioned(getTenantConfig({ client, path: { tenant_id } }));

const valuesOf = (config: TenantConfig): TenantConfigInput => ({
  join_policy: config.join_policy,
  block_external_invitations: config.block_external_invitations,
  enforce_domain_only_invitations: config.enforce_domain_only_invitations,
});

function JoiningForm({ tenantId, first }: { tenantId: number; first: Versioned<TenantConfig> }) {
  const { reason } = useAllowed('changeJoining');
  const form = useForm<TenantConfigInput>({ defaultValues: valuesOf(first.value) });
  const body = form.watch();
  const {
    base: config,
    send,
    takeNow,
    dialog,
  } = useMeanwhile({
    first,
    read: readJoining(tenantId),
    shown: valuesOf,
    mine: body,
    put: (now) => form.reset(valuesOf(now)),
  });
  const hasDomain = config.email_domain !== undefined;
  const isChanged = (Object.keys(body) as (keyof TenantConfigInput)[]).some(
    (key) => body[key] !== config[key],
  );
  return (
    <Form
      form={form}
      action="Save"
      disabledReason={reason ?? (isChanged ? undefined : 'Nothing is changed yet.')}
      onSubmit={(wanted) =>
        send(async (version) => {
          const headers = { 'If-Match': version };
          await replaceTenantConfig({ client, path: { tenant_id: tenantId }, body: wanted, headers });
          toast('It is in force');
          await refreshKinds(tenantId, 'tenant');
          await takeNow();
        })
      }
      beside={
        <AsCode
          command={[
            ...['api', 'PUT', `/tenants/${tenantId}/config`],
            ...Object.entries(body).flatMap(([key, value]) => ['--field', `${key}=${value}`]),
          ]}
          request={{ method: 'PUT', path: `/tenants/${tenantId}/config`, body }}
          apply={`tenant:\n${Object.entries(body)
            .map(([key, value]) => `  ${key}: ${value}\n`)
            .join('')}`}
        />
      }
    >
      <Controller
        control={form.control}
        name="join_policy"
        render={({ field: { value, onChange }, fieldState: { error } }) => (
          <Select
            label="Who signs up with an address of the domain"
            options={policies}
            value={value}
            onChange={onChange}
            error={error?.message}
            {...(!hasDomain && { description: 'It takes effect with a domain only.' })}
          />
        )}
      />
      {locks.map(([name, title, about]) => (
        <Controller
          key={name}
          control={form.control}
          name={name}
          render={({ field: { value, onChange } }) => (
            <div>
              <Switch isSelected={value} onChange={onChange} isDisabled={!hasDomain}>
                {title}
              </Switch>
              <p className={layout.muted}>{hasDomain ? about : `${about} It needs a domain.`}</p>
            </div>
          )}
        />
      ))}
      {dialog}
    </Form>
  );
}

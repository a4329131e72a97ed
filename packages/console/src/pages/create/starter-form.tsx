import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Controller, useForm } from 'react-hook-form';
import { createStarterDeployment, type Structure } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { tenantQuery } from '@sluice/console-core/api/catalogue.ts';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { structureQuery } from '@sluice/console-core/api/queries.ts';
import { queryClient } from '@sluice/console-core/api/query-client.ts';
import { useAllowed } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { useTenantId } from '@sluice/console-core/parts/tenant.ts';
import { Select } from '@sluice/ui/choice.tsx';
import { Card } from '@sluice/ui/data.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import layout from '@sluice/ui/layout.module.css';
import { findPlace, useRegionOptions } from './choices.ts';
import { noRegion, regionOf } from './create-values.ts';
import { PlanCard } from './plan-card.tsx';
import styles from './create.module.css';

const newEnvironment = 'new';

interface StarterFormProps {
  structure: Structure;
  search: { division?: number; environment?: number };
}

/** The form of a free deployment for development. */
export function StarterForm({ structure, search }: StarterFormProps) {
  const tenantId = useTenantId();
  const navigate = useNavigate();
  const { divisions } = structure;
  const [divisionId, setDivision] = useState(search.division ?? divisions[0]?.id ?? 0);
  const division = divisions.find(({ id }) => id === divisionId);
  const [environment, setEnvironment] = useState<string | null>(
    search.environment === undefined ? newEnvironment : String(search.environment),
  );
  const form = useForm({ defaultValues: { place: '', deployment_name: '', environment_name: 'sandbox' } });
  const values = form.watch();
  const regions = useRegionOptions(tenantId);
  const { data: tenant } = useQuery(tenantQuery(tenantId));
  const environmentId = environment === newEnvironment ? undefined : Number(environment);
  const { reason } = useAllowed('createStarter', {
    division: divisionId,
    ...(environmentId !== undefined && { environment: environmentId }),
  });
  const at = regionOf(values.place);
  const bodyOf = (wanted: typeof values) => ({
    ...(regionOf(wanted.place) ?? noRegion),
    ...(environmentId === undefined
      ? { environment_name: wanted.environment_name.trim() }
      : { environment_id: environmentId }),
    ...(wanted.deployment_name.trim() !== '' && { deployment_name: wanted.deployment_name.trim() }),
  });
  const isUsedUp = tenant?.starter_available === false;
  return (
    <div className={styles.columns}>
      <Card title="Starter deployment">
        <Form
          form={form}
          action="Create the deployment"
          disabledReason={
            reason ??
            (isUsedUp ? 'All free deployments of your plan are in use.' : undefined) ??
            (at ? undefined : 'Choose a region first.')
          }
          onSubmit={async (wanted) => {
            const { data } = await createStarterDeployment({
              client,
              path: { tenant_id: tenantId, division_id: divisionId },
              body: bodyOf(wanted),
            });
            void queryClient.invalidateQueries({ queryKey: keyOf('main', tenantId, 'limits') });
            // the environment may be new as well
            const now = await queryClient.fetchQuery({ ...structureQuery(tenantId), staleTime: 0 });
            const found = findPlace(now, data.id);
            await (found
              ? navigate({
                  to: '/t/$tenantId/d/$divisionId/$environmentId/$deploymentId',
                  params: { tenantId, ...found },
                })
              : navigate({ to: '/t/$tenantId/deployments', params: { tenantId } }));
          }}
          beside={
            at && (
              <AsCode
                command={[
                  ...['deployments', 'starter', division?.name, '--cloud', at.cloud, '--region', at.region],
                  ...(values.deployment_name === '' ? [] : ['--name', values.deployment_name]),
                ]}
                request={{
                  method: 'POST',
                  path: `/tenants/${tenantId}/divisions/${divisionId}/deployments/starter`,
                  body: bodyOf(values),
                }}
              />
            )
          }
        >
          <Controller
            control={form.control}
            name="place"
            render={({ field: { value, onChange }, fieldState: { error } }) => (
              <Select
                label="Region"
                options={regions}
                value={value === '' ? null : value}
                onChange={(key) => onChange(key ?? '')}
                error={error?.message}
                isRequired
              />
            )}
          />
          <div className={layout.pair}>
            <Select
              label="Division"
              options={divisions.map(({ id, name }) => ({ key: String(id), label: name }))}
              value={String(divisionId)}
              onChange={(key) => {
                setDivision(Number(key));
                setEnvironment(newEnvironment);
              }}
            />
            <Select
              label="Environment"
              options={[
                ...(division?.environments ?? []).map(({ id, name }) => ({
                  key: String(id),
                  label: name,
                })),
                { key: newEnvironment, label: 'By its name' },
              ]}
              value={environment}
              onChange={setEnvironment}
            />
          </div>
          {environment === newEnvironment && (
            <FormText
              control={form.control}
              name="environment_name"
              label="Name of the environment"
              description="It is created if the division has none of this name."
              isRequired
            />
          )}
          <FormText
            control={form.control}
            name="deployment_name"
            label="Name"
            description="Lower-case letters, digits and hyphens; one is made up if you leave it empty"
          />
        </Form>
      </Card>
      <div className={styles.side}>
        <PlanCard tenantId={tenantId} tier="free" tierName="Free" />
      </div>
    </div>
  );
}

import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { createByocDeployment, createManagedDeployment, type Structure } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { tenantQuery, tiersQuery } from '@sluice/console-core/api/catalogue.ts';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { queryClient } from '@sluice/console-core/api/query-client.ts';
import { applyLines } from '@sluice/console-core/lib/apply-lines.ts';
import { useAllowed } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Price } from '@sluice/console-core/parts/price.tsx';
import { useTenantId } from '@sluice/console-core/parts/tenant.ts';
import { Select } from '@sluice/ui/choice.tsx';
import { Card } from '@sluice/ui/data.tsx';
import { Note } from '@sluice/ui/feedback.tsx';
import { Form, FormText } from '@sluice/ui/form.tsx';
import layout from '@sluice/ui/layout.module.css';
import { placeNames } from '@sluice/console-deployment/place.ts';
import { AccessFields } from './access-fields.tsx';
import { chosenEnvironment, environmentOptions } from './choices.ts';
import {
  bodyOf,
  byocBodyOf,
  emptyValues,
  noRegion,
  previewOf,
  regionOf,
  type CreateValues,
} from './create-values.ts';
import { createCommand } from './create-command.ts';
import { PlanCard } from './plan-card.tsx';
import { ShapeFields } from './shape-fields.tsx';
import styles from './create.module.css';

interface CreateFormProps {
  structure: Structure;
  search: { division?: number; environment?: number };
  isByoc: boolean;
}

/** The form of a managed deployment, or of one in an account of the tenant, with its price beside it. */
export function CreateForm({ structure, search, isByoc }: CreateFormProps) {
  const tenantId = useTenantId();
  const navigate = useNavigate();
  const [environment, setEnvironment] = useState(() => chosenEnvironment(structure, search));
  const [division_id = 0, environment_id = 0] = (environment ?? '').split('/').map(Number);
  const path = { tenant_id: tenantId, division_id, environment_id };
  const form = useForm<CreateValues>({ defaultValues: emptyValues });
  const values = form.watch();
  const at = regionOf(values.place);
  const { data: tenant } = useQuery(tenantQuery(tenantId));
  const { data: tiers } = useQuery({
    ...tiersQuery(tenantId, at ?? noRegion),
    enabled: at !== undefined,
  });
  const place = environment === null ? {} : { division: division_id, environment: environment_id };
  const { reason } = useAllowed(isByoc ? 'createByoc' : 'createDeployment', place);
  const names = placeNames(structure, division_id, environment_id);
  const body = isByoc ? byocBodyOf(values) : bodyOf(values);
  const preview = previewOf(values);
  const tier = tiers?.find(({ key }) => key === values.tier);
  const isBarred = isByoc && tenant?.features.byoc_enabled === false;
  const submit = async (wanted: CreateValues) => {
    const input = isByoc ? byocBodyOf(wanted) : bodyOf(wanted);
    if (!input) return form.setError('place', { message: 'Choose a region.' });
    const { data } = isByoc
      ? await createByocDeployment({ client, path, body: input })
      : await createManagedDeployment({ client, path, body: input });
    void queryClient.invalidateQueries({ queryKey: keyOf('main', tenantId, 'structure') });
    void queryClient.invalidateQueries({ queryKey: keyOf('main', tenantId, 'limits') });
    await navigate({
      to: '/t/$tenantId/d/$divisionId/$environmentId/$deploymentId',
      params: { tenantId, divisionId: division_id, environmentId: environment_id, deploymentId: data.id },
    });
  };
  return (
    <div className={styles.columns}>
      <Card title={isByoc ? 'Deployment in your account' : 'Managed deployment'}>
        {isBarred && <Note>Your plan has no deployments in your own account.</Note>}
        <Form
          form={form}
          onSubmit={async (wanted) => void (await submit(wanted))}
          action="Create the deployment"
          disabledReason={
            reason ??
            (isBarred ? 'Your plan has none in your own account.' : undefined) ??
            (environment === null ? 'Choose an environment first.' : undefined)
          }
          beside={
            body && (
              <AsCode
                command={createCommand(body, [names.division, names.environment].join('/'), isByoc)}
                request={{
                  method: 'POST',
                  path: `/tenants/${tenantId}/divisions/${division_id}/environments/${environment_id}/deployments/${isByoc ? 'byoc' : 'managed'}`,
                  body,
                }}
                {...(!isByoc && {
                  apply: applyLines({ ...names, name: body.name }, { ...body, name: undefined }),
                })}
              />
            )
          }
        >
          <div className={layout.pair}>
            <FormText
              control={form.control}
              name="name"
              label="Name"
              description="Lower-case letters, digits and hyphens"
              isRequired
            />
            <Select
              label="Environment"
              options={environmentOptions(structure)}
              value={environment}
              onChange={setEnvironment}
              isRequired
            />
          </div>
          <ShapeFields form={form} tiers={tiers} features={tenant?.features} />
          {isByoc && at && environment !== null && <AccessFields form={form} path={path} at={at} />}
        </Form>
      </Card>
      <div className={styles.side}>
        {preview && environment !== null ? (
          <Price path={path} input={preview} />
        ) : (
          <p className={styles.wait}>Choose a region and an environment to see the price.</p>
        )}
        <PlanCard tenantId={tenantId} tier={values.tier} tierName={tier?.name ?? values.tier} />
      </div>
    </div>
  );
}

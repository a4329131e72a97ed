import { useQuery } from '@tanstack/react-query';
import { Controller, type UseFormReturn } from 'react-hook-form';
import type { Features, TierEntry } from '@sluice/client';
import { clustersQuery, storagesQuery } from '@sluice/console-core/api/catalogue.ts';
import { tierRefusal, tierSize } from '@sluice/console-core/lib/tiers.ts';
import { useTenantId } from '@sluice/console-core/parts/tenant.ts';
import { Select } from '@sluice/ui/choice.tsx';
import { Switch } from '@sluice/ui/field.tsx';
import { FormText } from '@sluice/ui/form.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useRegionOptions } from './choices.ts';
import { noRegion, regionOf, type CreateValues } from './create-values.ts';

interface ShapeFieldsProps {
  form: UseFormReturn<CreateValues>;
  tiers: readonly TierEntry[] | undefined;
  features: Features | undefined;
}

/** Region, size, storage and what else a deployment is made of. What the plan lacks cannot be chosen and says so. */
export function ShapeFields({ form, tiers, features }: ShapeFieldsProps) {
  const tenantId = useTenantId();
  const { control } = form;
  const { place, tier, cluster, storage_type: storageType } = form.watch();
  const at = regionOf(place);
  const regions = useRegionOptions(tenantId);
  const catalogue = at ?? noRegion;
  const isKnown = at !== undefined;
  const { data: clusters = [] } = useQuery({ ...clustersQuery(tenantId, catalogue), enabled: isKnown });
  const { data: storages = [] } = useQuery({ ...storagesQuery(tenantId, catalogue), enabled: isKnown });
  const entry = tiers?.find(({ key }) => key === tier);
  const switches = [
    { name: 'encrypted', label: 'Encrypt what the broker stores', lacking: undefined },
    { name: 'protected', label: 'Protect it: its deletion needs a one-time code', lacking: undefined },
    { name: 'public_ip', label: 'Public address', lacking: undefined },
    {
      name: 'multi_az',
      label: 'Nodes in several zones',
      lacking:
        features?.multi_az_enabled === false
          ? 'not in your plan'
          : cluster === 'standalone'
            ? 'needs a cluster'
            : undefined,
    },
    {
      name: 'dedicated',
      label: 'Machines of your own',
      lacking: features?.dedicated_enabled === false ? 'not in your plan' : undefined,
    },
  ] as const;
  return (
    <>
      <Controller
        control={control}
        name="place"
        rules={{ required: 'Choose a region.' }}
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
        <Controller
          control={control}
          name="tier"
          render={({ field: { value, onChange }, fieldState: { error } }) => (
            <Select
              label="Tier"
              options={(tiers ?? []).map((one) => {
                const refusal = tierRefusal(one);
                return {
                  key: one.key,
                  label: one.name,
                  note: tierSize(one),
                  ...(refusal !== undefined && { disabledReason: refusal }),
                };
              })}
              value={tiers ? value : null}
              onChange={onChange}
              isDisabled={!isKnown}
              error={error?.message}
              description={entry && [tierSize(entry), entry.rate_limit].filter(Boolean).join(', ')}
            />
          )}
        />
        <Controller
          control={control}
          name="cluster"
          render={({ field: { value, onChange }, fieldState: { error } }) => (
            <Select
              label="Kind"
              options={clusters.map(({ key, name, available, tiers: having }) => {
                const refusal = !available
                  ? 'not available here'
                  : having.includes(tier)
                    ? undefined
                    : 'not for this tier';
                return {
                  key,
                  label: name,
                  ...(refusal !== undefined && { disabledReason: refusal }),
                };
              })}
              value={clusters.length > 0 ? value : null}
              onChange={onChange}
              isDisabled={!isKnown}
              error={error?.message}
              description={clusters.find(({ key }) => key === cluster)?.description}
            />
          )}
        />
      </div>
      <div className={layout.pair}>
        <Controller
          control={control}
          name="storage_type"
          render={({ field: { value, onChange }, fieldState: { error } }) => (
            <Select
              label="Storage"
              options={[
                { key: '', label: 'As the tier has it' },
                ...storages.map(({ key, name, available }) => {
                  const isFit = available && (entry?.storages.includes(key) ?? true);
                  return { key, label: name, ...(!isFit && { disabledReason: 'not for this tier' }) };
                }),
              ]}
              value={value}
              onChange={(key) => onChange(key ?? '')}
              isDisabled={!isKnown}
              error={error?.message}
              description={storages.find(({ key }) => key === storageType)?.description}
            />
          )}
        />
        <FormText
          control={control}
          name="storage_size"
          label="Size of the storage"
          description="Gigabytes; empty for that of the tier"
          inputMode="numeric"
          isDisabled={storageType === 'local_ssd'}
        />
      </div>
      <div className={layout.tightStack}>
        {switches.map(({ name, label, lacking }) => (
          <Controller
            key={name}
            control={control}
            name={name}
            render={({ field: { value, onChange } }) => (
              <Switch isSelected={value} onChange={onChange} isDisabled={lacking !== undefined}>
                {label}
                {lacking !== undefined && <span className={layout.muted}> ({lacking})</span>}
              </Switch>
            )}
          />
        ))}
      </div>
      <div className={layout.pair}>
        <FormText
          control={control}
          name="spend_limit"
          label="Limit of a month"
          description="US dollars; empty for none"
          inputMode="decimal"
        />
        <FormText
          control={control}
          name="telemetry_days"
          label="Retention"
          description="Days for metrics and logs; empty for the usual"
          inputMode="numeric"
        />
      </div>
      <FormText
        control={control}
        name="labels"
        label="Labels"
        description="One per line, such as team=payments"
        rows={2}
        isMono
      />
    </>
  );
}

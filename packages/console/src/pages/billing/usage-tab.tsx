import { useState } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { CostParts, RegionBehind } from '@sluice/client';
import { dollarsOf, microsOf, percentOf } from '@sluice/console-core/lib/micros.ts';
import { formatMoney } from '@sluice/ui/lib/money.ts';
import { durationText } from '@sluice/ui/lib/time.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Chart } from '@sluice/ui/chart.tsx';
import { Select } from '@sluice/ui/choice.tsx';
import { Card, Figures, Money, Time } from '@sluice/ui/data.tsx';
import { EmptyState, ErrorState, PartialState, Skeleton, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { TextField } from '@sluice/ui/field.tsx';
import { Button } from '@sluice/ui/button.tsx';
import { Menu, MenuItem } from '@sluice/ui/menu.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import layout from '@sluice/ui/layout.module.css';
import { currentCostQuery, usageQuery } from './queries.ts';
import { byGroup, overTime, usageQueryOf, type GroupUsage, type UsageSearch } from './usage.ts';
import styles from './billing.module.css';

const route = getRouteApi('/t/$tenantId/billing/');

/** What the month has cost and will, and what that is made of. */
export function UsageTab() {
  const { tenantId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery({
    ...usageQuery(tenantId, search),
    placeholderData: keepPreviousData,
  });
  const change = (changes: UsageSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  const groups = data && byGroup(data.lines);
  const all = groups?.reduce((sum, { micros }) => sum + micros, 0n) ?? 0n;
  return (
    <div className={layout.stack}>
      <ThisMonth tenantId={tenantId} />
      <Card
        title="Usage"
        flush
        actions={
          <span className={layout.row}>
            <UsageExport tenantId={tenantId} search={search} />
            <AsCode {...asCode(tenantId, search)} />
          </span>
        }
      >
        <div className={layout.pad}>
          <Choices search={search} onChange={change} />
        </div>
        {data && data.behind.length > 0 && (
          <div className={layout.pad}>
            <Behind regions={data.behind} />
          </div>
        )}
        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <SkeletonLines count={6} />}
        {groups?.length === 0 && (
          <EmptyState title="No usage is reported">
            Regions report what deployments use once an hour, and when one changes. The total above counts
            until now.
          </EmptyState>
        )}
        {data && groups && groups.length > 0 && (
          <>
            <div className={layout.pad}>
              <CostChart lines={data.lines} />
            </div>
            <DataTable
              name="usage"
              label="Usage by group"
              rows={groups}
              columns={columnsFor(all)}
              rowKey={({ key }) => key}
              isBare
              empty={null}
            />
          </>
        )}
      </Card>
    </div>
  );
}

function ThisMonth({ tenantId }: { tenantId: number }) {
  const { data, error, refetch } = useQuery(currentCostQuery(tenantId));
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const part = (name: keyof CostParts) => data && dollarsOf(microsOf(data.breakdown[name]));
  const wait = <Skeleton width="4rem" />;
  const money = (amount: string | undefined) => (amount === undefined ? wait : <Money amount={amount} />);
  return (
    <>
      <Figures
        items={[
          { name: 'This month', value: money(data?.total_usd), note: 'until now' },
          { name: 'Forecast', value: money(data?.forecast_usd), note: 'if all goes on as it is now' },
          { name: 'Compute', value: money(part('compute_usd')) },
          { name: 'Storage', value: money(part('storage_usd')) },
          { name: 'Network', value: money(part('network_usd')) },
        ]}
      />
      {data && data.behind.length > 0 && <Behind regions={data.behind} />}
    </>
  );
}

/** Regions whose usage is not all there yet. */
function Behind({ regions }: { regions: readonly RegionBehind[] }) {
  return (
    <PartialState>
      {regions.map(({ cloud, region, usage_to: until }) => (
        <p key={`${cloud}/${region}`}>
          {region} has{' '}
          {until === null ? (
            'reported no usage yet'
          ) : (
            <>
              reported its usage until <Time at={until} />
            </>
          )}
          . What is later is missing here.
        </p>
      ))}
    </PartialState>
  );
}

const formatMicros = (micros: number) => formatMoney(dollarsOf(BigInt(Math.round(micros))));

function CostChart({ lines }: { lines: Parameters<typeof overTime>[0] }) {
  const { times, series } = overTime(lines);
  return <Chart title="Cost over time" times={times} series={series} format={formatMicros} />;
}

const columnsFor = (all: bigint): Column<GroupUsage>[] => [
  {
    id: 'name',
    title: 'Name',
    isFixed: true,
    sortBy: ({ name }) => name,
    cell: ({ name }) => <span className={layout.name}>{name}</span>,
  },
  {
    id: 'share',
    title: 'Share',
    wideOnly: true,
    cell: ({ name, micros }) => (
      <span className={styles.share}>
        <meter min={0} max={100} value={percentOf(micros, all)} aria-label={`Share of ${name}`} />
        {percentOf(micros, all).toFixed(1)} %
      </span>
    ),
  },
  {
    id: 'time',
    title: 'Ran',
    align: 'end',
    wideOnly: true,
    sortBy: ({ seconds }) => seconds,
    cell: ({ seconds }) => durationText(seconds * 1000),
  },
  {
    id: 'cost',
    title: 'Cost',
    align: 'end',
    isFixed: true,
    sortBy: ({ micros }) => Number(micros),
    cell: ({ micros }) => <Money amount={dollarsOf(micros)} />,
  },
];

interface ChoicesProps {
  search: UsageSearch;
  onChange: (changes: UsageSearch) => void;
}

function Choices({ search: { span = 'month', group = 'deployment', label }, onChange }: ChoicesProps) {
  const [isByLabel, setByLabel] = useState(label !== undefined);
  const [text, setText] = useState(label ?? '');
  return (
    <div className={layout.row}>
      <div className={styles.filter}>
        <Select
          hideLabel
          label="Time"
          options={[
            { key: 'month', label: 'This month' },
            { key: 'last_month', label: 'The last month' },
            { key: 'year', label: 'Twelve months' },
          ]}
          value={span}
          onChange={(key) => onChange({ span: key ?? undefined })}
        />
      </div>
      <div className={styles.filter}>
        <Select
          hideLabel
          label="Group"
          options={[
            { key: 'deployment', label: 'By deployment' },
            { key: 'environment', label: 'By environment' },
            { key: 'division', label: 'By division' },
            { key: 'component', label: 'By part of the price' },
            { key: 'label', label: 'By label' },
          ]}
          value={isByLabel ? 'label' : group}
          onChange={(key) => {
            setByLabel(key === 'label');
            if (key !== null && key !== 'label') onChange({ group: key, label: undefined });
          }}
        />
      </div>
      {isByLabel && (
        <form
          className={layout.row}
          onSubmit={(event) => {
            event.preventDefault();
            onChange({ label: text.trim() === '' ? undefined : text.trim() });
          }}
        >
          <TextField
            aria-label="Key of the label"
            label=""
            placeholder="Key of a label, such as team"
            value={text}
            onChange={setText}
          />
          <Button type="submit">Show</Button>
        </form>
      )}
    </div>
  );
}

function UsageExport({ tenantId, search }: { tenantId: number; search: UsageSearch }) {
  const { from, to } = usageQueryOf(search, new Date()) as { from: string; to?: string };
  const addressOf = (format: string) => {
    const query = new URLSearchParams({ format, from, ...(to !== undefined && { to }) }).toString();
    return `/api/main/tenants/${tenantId}/billing/usage/export?${query}`;
  };
  return (
    <Menu aria-label="Export" trigger={<Button size="small">Export</Button>}>
      <MenuItem href={addressOf('csv')} target="_blank" download>
        CSV
      </MenuItem>
      <MenuItem href={addressOf('ndjson')} target="_blank" download>
        Lines of JSON
      </MenuItem>
      <MenuItem href={addressOf('focus')} target="_blank" download note="to compare providers">
        FOCUS
      </MenuItem>
    </Menu>
  );
}

function asCode(tenantId: number, search: UsageSearch) {
  const query = usageQueryOf(search, new Date());
  return {
    command: [
      ...['billing', 'usage', '--from', query.from, '--granularity', query.granularity],
      ...('to' in query ? ['--to', query.to] : []),
      ...(search.label === undefined
        ? ['--group-by', search.group ?? 'deployment']
        : ['--label', search.label]),
    ],
    request: { method: 'GET', path: `/tenants/${tenantId}/billing/usage`, query },
  };
}

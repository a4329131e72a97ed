import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Connector } from '@sluice/client';
import { shownConnector } from '@sluice/console-core/lib/status.ts';
import { ActionButton, useAllowed } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Button } from '@sluice/ui/button.tsx';
import { Card } from '@sluice/ui/data.tsx';
import { EmptyState, ErrorState, PartialState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { Status, Tag } from '@sluice/ui/status.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import { actionsColumn, timeColumn } from '@sluice/ui/columns.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import layout from '@sluice/ui/layout.module.css';
import { instancesQuery } from '../configuration/queries.ts';
import { useDeployment } from '../deployment-context.ts';
import { ActivateConnector, DeleteConnector } from './dialogs.tsx';
import { instancesOf, refusalOf, type Instance } from './instances.ts';
import { catalogueQuery } from './queries.ts';
import deploymentStyles from '../deployment.module.css';
import styles from './connectors.module.css';

/** The connectors of a deployment, and what can be activated. */
export function ConnectorsTab() {
  const open = useDeployment();
  const { path, params, words } = open;
  const catalogue = useQuery(catalogueQuery(path));
  const inRegion = useQuery(instancesQuery(open));
  const [activated, setActivated] = useState<Connector>();
  const [deleted, setDeleted] = useState<Instance>();
  const instances = instancesOf(inRegion.data, catalogue.data?.items);
  const nameOf = ({ connector_type: type, connector_key: key }: Instance) =>
    catalogue.data?.items.find((one) => one.type === type && one.key === key)?.name ?? key;
  return (
    <div className={layout.stack}>
      {inRegion.error && catalogue.data && (
        <PartialState onRetry={() => void inRegion.refetch()}>
          The region does not say how the connectors are. What was activated is shown as it was last known.
        </PartialState>
      )}
      <Card
        title="Active on this deployment"
        flush
        actions={
          <AsCode
            command={['connectors', 'list', words]}
            request={{
              method: 'GET',
              path: `/deployments/${path.deployment_id}/connectors/instances`,
              layer: 'supervisor',
            }}
          />
        }
      >
        <DataTable
          name="connectors"
          label="Connectors"
          rows={instances}
          columns={instanceColumns(nameOf, setDeleted)}
          rowKey={({ id }) => id}
          error={inRegion.error ?? catalogue.error ?? undefined}
          onRetry={() => void Promise.all([inRegion.refetch(), catalogue.refetch()])}
          isBare
          empty={
            <EmptyState title="No connectors yet">
              A connector moves messages between this deployment and another system. Activate one of the
              catalogue below.
            </EmptyState>
          }
        />
      </Card>
      {(instances?.length ?? 0) > 0 && (
        <p className={deploymentStyles.calm}>
          What a connector can never deliver is kept for a week in the stream sluice-dead-letters, with the
          reason. Look at it, send it again or delete it{' '}
          <Link to="/t/$tenantId/d/$divisionId/$environmentId/$deploymentId/streams" params={params}>
            in a session of Streams
          </Link>
          .
        </p>
      )}
      <Card title="Catalogue" flush>
        {catalogue.data ? (
          <ul className={styles.catalogue}>
            {catalogue.data.items.map((connector) => (
              <Entry
                key={`${connector.type} ${connector.key}`}
                connector={connector}
                onActivate={setActivated}
              />
            ))}
          </ul>
        ) : catalogue.error ? (
          <ErrorState error={catalogue.error} onRetry={() => void catalogue.refetch()} />
        ) : (
          <SkeletonLines count={6} />
        )}
      </Card>
      {activated && <ActivateConnector connector={activated} onClose={() => setActivated(undefined)} />}
      {deleted && <DeleteConnector instance={deleted} onClose={() => setDeleted(undefined)} />}
    </div>
  );
}

function Entry({
  connector,
  onActivate,
}: {
  connector: Connector;
  onActivate: (connector: Connector) => void;
}) {
  const { place } = useDeployment();
  const { isAllowed, reason } = useAllowed('activateConnector', place);
  const refusal = refusalOf(connector, isAllowed === true);
  const { name, type, description, instances } = connector;
  return (
    <li>
      <div className={layout.row}>
        <strong>{name}</strong>
        <Tag>{type}</Tag>
        {instances.length > 0 && <Tag kind="ok">{instances.length} here</Tag>}
      </div>
      <p className={styles.about}>{description}.</p>
      {refusal !== undefined && (
        <div className={styles.refusal}>
          <Status kind="idle">{refusal}</Status>
        </div>
      )}
      <Button
        size="small"
        className={styles.activate}
        isDisabled={isAllowed === undefined}
        disabledReason={reason ?? refusal}
        onPress={() => onActivate(connector)}
        aria-label={`Activate ${name} as ${type}`}
      >
        Activate
      </Button>
    </li>
  );
}

const instanceColumns = (
  nameOf: (instance: Instance) => string,
  onDelete: (instance: Instance) => void,
): Column<Instance>[] => [
  {
    id: 'name',
    title: 'Name',
    isFixed: true,
    sortBy: ({ name }) => name,
    cell: ({ name, key }) => (
      <span>
        {name} <code className={layout.muted}>{key}</code>
      </span>
    ),
  },
  {
    id: 'status',
    title: 'Status',
    cell: ({ status, status_reason: reason }) => {
      const { kind, word } = shownConnector(status, reason);
      return (
        <div>
          <Status kind={kind}>{word}</Status>
          {reason !== null && <p className={deploymentStyles.reason}>{reason}</p>}
        </div>
      );
    },
  },
  {
    id: 'connector',
    title: 'Connector',
    wideOnly: true,
    sortBy: nameOf,
    cell: (instance) => `${nameOf(instance)}, ${instance.connector_type}`,
  },
  timeColumn('created', 'Activated', ({ created_at }) => created_at, { wideOnly: true }),
  actionsColumn((instance) => <InstanceActions instance={instance} onDelete={onDelete} />),
];

function InstanceActions({
  instance,
  onDelete,
}: {
  instance: Instance;
  onDelete: (instance: Instance) => void;
}) {
  const { place, params } = useDeployment();
  const { connector_type: type, key } = instance;
  return (
    <>
      <Link
        to="/t/$tenantId/d/$divisionId/$environmentId/$deploymentId/configuration"
        params={params}
        search={{ kind: `connector:${type}:${key}` }}
        className={styles.configure}
      >
        Configure
      </Link>
      <ActionButton action="deleteConnector" on={place} size="small" onPress={() => onDelete(instance)} />
    </>
  );
}

import { getRouteApi } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { createTask, type Config } from '@sluice/client';
import { eachOnce } from '@sluice/console-core/lib/config-values.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Select } from '@sluice/ui/choice.tsx';
import { Card } from '@sluice/ui/data.tsx';
import { EmptyState, ErrorState, PartialState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { toast, toastError } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import { refresh } from '../queries.ts';
import { ConfigEditor } from './editor.tsx';
import { brokerKind, kindFlag } from './kinds.ts';
import { configsQuery, instancesQuery, schemaQuery, versionsQuery } from './queries.ts';
import { Versions } from './versions.tsx';
import styles from './configuration.module.css';

const route = getRouteApi('/t/$tenantId/d/$divisionId/$environmentId/$deploymentId/configuration');

/** The settings of the broker and of the instances of connectors: values, versions, and which of them is active. */
export function ConfigurationTab() {
  const open = useDeployment();
  const { path, words } = open;
  const { kind = brokerKind, name, version, view = 'form' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: instances } = useQuery(instancesQuery(open));
  const { data: schema, error: schemaError, refetch } = useQuery(schemaQuery(open, kind));
  const { data: configs, error: configsError, refetch: readConfigs } = useQuery(configsQuery(open, kind));
  const shownName = name ?? (configs?.find(({ primary }) => primary) ?? configs?.[0])?.name;
  const { data: versions, error: versionsError } = useQuery({
    ...versionsQuery(open, { kind, name: shownName ?? kind }),
    enabled: shownName !== undefined,
  });
  const known = eachOnce([...(versions ?? []), ...(configs ?? [])]);
  const active = known.find(({ primary }) => primary);
  const base = versions && baseOf(versions, version);
  const isReady = schema && configs && (shownName === undefined || versions);
  const error = schemaError ?? configsError ?? versionsError;
  return (
    <div className={layout.closeStack}>
      <div className={layout.row}>
        <Select
          label="Configuration of"
          hideLabel
          options={[
            { key: brokerKind, label: 'Broker' },
            ...(instances ?? []).map(({ connector_type: type, key, name: title }) => ({
              key: `connector:${type}:${key}`,
              label: title,
              note: `${type} ${key}`,
            })),
          ]}
          value={kind}
          onChange={(chosen) =>
            void navigate({ search: { ...(chosen !== null && chosen !== brokerKind && { kind: chosen }) } })
          }
        />
        {configs && new Set(configs.map((one) => one.name)).size > 1 && (
          <Select
            label="Name"
            hideLabel
            options={[...new Set(configs.map((one) => one.name))].map((key) => ({ key, label: key }))}
            value={shownName ?? null}
            onChange={(chosen) =>
              void navigate({
                search: (last) => ({ ...last, name: chosen ?? undefined, version: undefined }),
              })
            }
          />
        )}
        <Select
          label="Shown as"
          hideLabel
          options={[
            { key: 'form', label: 'Form' },
            { key: 'json', label: 'JSON' },
          ]}
          value={view}
          onChange={(chosen) =>
            void navigate({
              search: (last) => ({ ...last, view: chosen === 'json' ? chosen : undefined }),
              replace: true,
            })
          }
        />
        <span className={layout.spacer} />
        <AsCode
          command={['configs', 'list', words, ...kindFlag(kind)]}
          request={{
            method: 'GET',
            path: `/deployments/${path.deployment_id}/configs/${kind}`,
            layer: 'supervisor',
          }}
        />
      </div>
      {kind === brokerKind && active && !active.in_force && <TakeUp active={active} />}
      {!isReady ? (
        <Card>
          {error ? (
            <ErrorState error={error} onRetry={() => void Promise.all([refetch(), readConfigs()])} />
          ) : (
            <SkeletonLines count={10} />
          )}
        </Card>
      ) : (
        <div className={styles.columns}>
          <div className={layout.closeStack}>
            <ConfigEditor
              key={`${kind} ${base?.id ?? 'new'}`}
              kind={kind}
              schema={schema}
              base={base}
              newest={versions?.[0]}
              view={view}
              onSaved={(saved) => edit(saved)}
            />
          </div>
          {known.length === 0 ? (
            <Card title="Versions">
              <EmptyState title="No version yet">
                What is stored first is version 1. Until then the product’s own values hold.
              </EmptyState>
            </Card>
          ) : (
            <Versions kind={kind} configs={known} versions={versions ?? []} openId={base?.id} onOpen={edit} />
          )}
        </div>
      )}
    </div>
  );

  function edit({ name: config, version: number }: Config) {
    void navigate({ search: (last) => ({ ...last, name: config, version: number }) });
  }
}

/** The version in the editor: the one in the address, else the active one, else the newest. */
const baseOf = (versions: readonly Config[], version: number | undefined): Config | undefined =>
  versions.find((one) => one.version === version) ?? versions.find(({ primary }) => primary) ?? versions[0];

/** The active configuration is not what the broker runs by. */
function TakeUp({ active: { rejection, name, version } }: { active: Config }) {
  const open = useDeployment();
  const { supervisor: client, path, place, words } = open;
  const { deployment_id } = path;
  return (
    <PartialState>
      <p>
        Version {version} of {name} is active and not in force yet.{' '}
        {rejection ? `Nodes have rejected it: ${rejection.reason}` : 'A reconfiguration puts it in force.'}
      </p>
      <p className={styles.row}>
        <ActionButton
          action="reconfigure"
          on={place}
          size="small"
          onPress={() =>
            void createTask({ client, path: { deployment_id }, body: { type: 'broker:reconfigure' } })
              .then(() => toast('The nodes are reconfigured', 'The activities say what comes of it.'))
              .then(() => refresh(open, 'task'))
              .catch(toastError)
          }
        />
        <AsCode
          command={['tasks', 'reconfigure', 'broker', words]}
          request={{
            method: 'POST',
            path: `/deployments/${deployment_id}/tasks`,
            body: { type: 'broker:reconfigure' },
            layer: 'supervisor',
          }}
        />
      </p>
    </PartialState>
  );
}

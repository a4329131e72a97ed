import { getRouteApi } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { logLevels, logRuntimes, logText } from '@sluice/console-core/lib/log-lines.ts';
import { plural } from '@sluice/ui/lib/quantity.ts';
import { saveFile } from '@sluice/ui/lib/save-file.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { SettledSearch } from '@sluice/console-core/parts/settled-search.tsx';
import { Button } from '@sluice/ui/button.tsx';
import { Select } from '@sluice/ui/choice.tsx';
import { EmptyState, ErrorNote, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Status } from '@sluice/ui/status.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import { NodeSelect } from '../metrics/node-select.tsx';
import { liveQuery } from '../queries.ts';
import { useLogs, type FollowedLogs } from './follow.ts';
import { LogLines } from './log-lines.tsx';
import styles from './logs.module.css';

const route = getRouteApi('/t/$tenantId/d/$divisionId/$environmentId/$deploymentId/logs');

const levelNames = {
  debug: 'All levels',
  info: 'Info and graver',
  warn: 'Warnings and graver',
  error: 'Errors',
};

/** The lines of the logs as they come. Filters stand in the address and are those of the API. */
export function LogsTab() {
  const open = useDeployment();
  const { deployment, path, supervisor, words } = open;
  const { level, runtime, node, q } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: live } = useQuery(liveQuery(open));
  const nodeName = (id: number) => live?.nodes.find((one) => one.id === id)?.name ?? `node ${id}`;
  const logs = useLogs(supervisor, path.deployment_id, {
    ...(level && { level }),
    ...(runtime && { runtime }),
    ...(node !== undefined && { node }),
    ...(q !== undefined && { message: q }),
  });
  const { lines, isPaused, setPaused, waiting, error } = logs;
  return (
    <div className={layout.closeStack}>
      <div className={layout.row}>
        <SettledSearch label="Search in messages" text={q ?? ''} onChange={(text) => set({ q: text })} />
        <Select
          label="Least level"
          hideLabel
          options={logLevels.map((key) => ({ key, label: levelNames[key] }))}
          value={level ?? 'debug'}
          onChange={(key) => set({ level: key === 'debug' ? undefined : (key ?? undefined) })}
        />
        <Select
          label="Program"
          hideLabel
          options={[
            { key: 'all', label: 'All programs' },
            ...logRuntimes.map((key) => ({ key, label: key })),
          ]}
          value={runtime ?? 'all'}
          onChange={(key) => set({ runtime: key === 'all' ? undefined : (key ?? undefined) })}
        />
        <NodeSelect node={node} onChange={(chosen) => set({ node: chosen })} />
        <span className={layout.spacer} />
        <Button onPress={() => setPaused(!isPaused)}>{isPaused ? 'Go on' : 'Pause'}</Button>
        <Button
          isDisabled={lines.length === 0}
          onPress={() => saveFile(`${deployment.name}.log`, logText(lines, nodeName))}
        >
          Download
        </Button>
        <AsCode
          command={[
            ...['logs', words, '--follow'],
            ...(level ? ['--level', level] : []),
            ...(runtime ? ['--runtime', runtime] : []),
            ...(node === undefined ? [] : ['--node', String(node)]),
            ...(q === undefined ? [] : ['--search', q]),
          ]}
          request={{
            method: 'GET',
            path: `/deployments/${path.deployment_id}/logs/stream`,
            query: { level, runtime, node, message: q },
            layer: 'supervisor',
          }}
        />
      </div>
      {error !== undefined && <ErrorNote error={error} onRetry={logs.retry} />}
      <div className={styles.frame}>
        <div className={styles.head}>
          <StateMark logs={logs} />
          <span className={layout.muted}>{lines.length > 0 && plural(lines.length, 'line')}</span>
          <span className={layout.spacer} />
          {isPaused && waiting > 0 && (
            <Button size="small" onPress={() => setPaused(false)}>
              {plural(waiting, 'new line')}
            </Button>
          )}
        </div>
        {lines.length > 0 ? (
          <LogLines
            lines={lines}
            nodeName={(live?.nodes.length ?? 0) > 1 ? nodeName : undefined}
            isPaused={isPaused}
            onPause={setPaused}
          />
        ) : logs.state === 'loading' ? (
          <SkeletonLines count={10} />
        ) : (
          <EmptyState title={level || runtime || node || q ? 'No line fits yet' : 'No lines yet'}>
            Lines of the last day are shown, and new ones as they come.
          </EmptyState>
        )}
      </div>
    </div>
  );

  function set(changes: Partial<ReturnType<typeof route.useSearch>>) {
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  }
}

function StateMark({ logs: { state, isPaused } }: { logs: FollowedLogs }) {
  if (isPaused) return <Status kind="idle">Paused</Status>;
  const [kind, word] = (
    {
      loading: ['busy', 'Loading'],
      live: ['ok', 'Live'],
      away: ['warn', 'Connecting again'],
      ended: ['idle', 'Ended'],
    } as const
  )[state];
  return <Status kind={kind}>{word}</Status>;
}

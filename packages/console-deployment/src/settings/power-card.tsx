import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { createActivity, rotateEncryptionKey } from '@sluice/client';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Card } from '@sluice/ui/data.tsx';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import { liveQuery, refresh } from '../queries.ts';
import styles from './settings.module.css';

const activities = {
  start: { label: 'Start', about: 'The broker starts on all nodes.', done: 'The broker starts' },
  stop: {
    label: 'Stop',
    about: 'The broker ends on all nodes, and its clients are disconnected. What it stores stays.',
    done: 'The broker stops',
  },
  restart: {
    label: 'Restart',
    about: 'The broker restarts, one node at a time. Its clients connect again.',
    done: 'The broker restarts',
  },
  rotate: {
    label: 'Rotate the encryption key',
    about: 'The broker restarts and encrypts what it has stored with a new version of its key.',
    done: 'The key is being rotated',
  },
} as const;
type Activity = keyof typeof activities;

/** Starts, stops and restarts the broker. */
export function PowerCard() {
  const open = useDeployment();
  const { deployment, path, place, supervisor, words } = open;
  const { deployment_id } = path;
  const { data: live } = useQuery(liveQuery(open));
  const [asked, setAsked] = useState<Activity>();
  const isStopped = live?.status === 'stopped';
  const isFit = live !== undefined && ['initialized', 'stopped'].includes(live.status);
  const shown: Activity[] = [
    ...(isStopped ? (['start'] as const) : (['restart', 'stop'] as const)),
    ...(deployment.encrypted && deployment.cluster === 'standalone' ? (['rotate'] as const) : []),
  ];
  const run = async (activity: Activity) => {
    await (activity === 'rotate'
      ? rotateEncryptionKey({ client: supervisor, path: { deployment_id } })
      : createActivity({
          client: supervisor,
          path: { deployment_id, runtime: 'broker', action: activity },
          body: {},
        }));
    toast(activities[activity].done);
    await Promise.all([refresh(open), refresh(open, 'task')]);
  };
  return (
    <Card title="Broker">
      <div className={layout.closeStack}>
        <p className={layout.muted}>
          {isFit
            ? 'What is done here is listed in the activities.'
            : 'It can be started and stopped once the deployment is running.'}
        </p>
        <div className={layout.row}>
          {shown.map((activity) => (
            <span key={activity} className={styles.withCode}>
              <ActionButton
                action={activity === 'rotate' ? 'rotateEncryptionKey' : 'startStop'}
                on={place}
                isDisabled={!isFit}
                onPress={() => setAsked(activity)}
              >
                {activities[activity].label}
              </ActionButton>
              <AsCode
                command={['deployments', activity === 'rotate' ? 'rotate-key' : activity, words]}
                request={{
                  method: 'POST',
                  path: `/deployments/${deployment_id}/${activity === 'rotate' ? 'encryption/rotate' : `activities/broker/${activity}`}`,
                  layer: 'supervisor',
                }}
              />
            </span>
          ))}
        </div>
      </div>
      {asked && (
        <ConfirmDialog
          title={`${activities[asked].label}: ${deployment.name}`}
          isOpen
          onOpenChange={(isOpen) => !isOpen && setAsked(undefined)}
          action={activities[asked].label}
          name={asked === 'stop' ? deployment.name : undefined}
          onConfirm={() => run(asked)}
        >
          {activities[asked].about}
        </ConfirmDialog>
      )}
    </Card>
  );
}

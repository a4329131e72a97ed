import { listActivities, paginate, type Activity } from '@sluice/client';
import { inDeployment, verbsOf, type DeploymentCall } from '../entries/entries.ts';

export const activities = verbsOf<DeploymentCall, Activity>({
  noun: 'activities',
  one: 'activity',
  at: inDeployment,
  read: (call) => paginate(listActivities, call),
  view: {
    name: ({ id }) => String(id),
    columns: [
      { header: 'ID', value: ({ id }) => id },
      { header: 'ACTION', value: ({ runtime, action }) => `${runtime} ${action}` },
      { header: 'NODE', value: ({ node_id }) => node_id },
      { header: 'STATUS', value: ({ status }) => status },
      { header: 'CREATED', value: ({ created_at }) => created_at },
      { header: 'REASON', value: ({ reason }) => reason },
      { header: 'BY', value: ({ author_id }) => author_id ?? 'system', wide: true },
      { header: 'FINISHED', value: ({ finished_at }) => finished_at, wide: true },
    ],
  },
  id: ({ id }) => id,
});

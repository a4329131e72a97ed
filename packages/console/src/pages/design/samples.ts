import { SluiceError } from '@sluice/client';

/** What the page of all components shows. */

export const problem = new SluiceError(
  {
    code: 'invalid_request',
    status: 400,
    title: 'The request is invalid',
    detail: 'One field is wrong.',
    instance: '0197a8f2-5a1e-7c3b-9d44-0d3a1b5f7e21',
    field_issues: [{ path: '/body/name', code: 'pattern', message: 'has to be a DNS label' }],
  },
  {},
);

export const colours = [
  ...['--bg', '--surface', '--sunken', '--hover', '--selected', '--text', '--text-muted', '--border'],
  ...['--border-strong', '--accent', '--accent-soft', '--ok', '--busy', '--warn', '--bad', '--idle'],
];

export interface Sample {
  id: number;
  name: string;
  status: 'initialized' | 'upgrading' | 'failed' | 'stopped';
  messages: number;
}

const statuses = ['initialized', 'initialized', 'upgrading', 'failed', 'stopped'] as const;

export const samples = (count: number): Sample[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `orders-${String(index + 1).padStart(4, '0')}`,
    status: statuses[index % statuses.length] ?? 'initialized',
    messages: (index * 7919) % 100_000,
  }));

const start = Date.UTC(2026, 2, 14, 9) / 1000;
export const times = Array.from({ length: 240 }, (_, index) => start + index * 60);
export const series = [
  { name: 'in', values: times.map((_, index) => 400 + 180 * Math.sin(index / 14) + (index % 7) * 12) },
  {
    name: 'out',
    values: times.map((_, index) => (index > 90 && index < 100 ? null : 320 + 120 * Math.cos(index / 17))),
  },
];
export const events = [{ at: new Date((start + 95 * 60) * 1000).toISOString(), title: 'Upgrade to medium' }];

export const before = JSON.stringify(
  { max_payload: 1_048_576, jetstream: { max_file_store: '10G' } },
  null,
  2,
);
export const after = JSON.stringify(
  { max_payload: 8_388_608, jetstream: { max_file_store: '10G' } },
  null,
  2,
);

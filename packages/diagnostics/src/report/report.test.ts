import { idOf, type DeploymentId, type NodeId, type SnapshotCheck } from '@sluice/contracts';
import type { SeenNode } from '../seen-node.ts';
import type { Findings } from '../findings.ts';
import { renderReport } from './report.ts';

const check = (more: Partial<SnapshotCheck> = {}): SnapshotCheck => ({
  ...{ id: 'one', group: 'Volume', title: 'Disk space', status: 'ok', finding: 'All is well.' },
  ...{ meaning: 'It matters.', action: null, details: [] },
  ...more,
});
const seen: SeenNode = {
  at: '2026-03-14T09:26:53.589Z',
  ...{ status: 'initialized', status_reason: null, agent_version: '1.0.0', unreachable_since: null },
  ...{ last_heartbeat_at: '2026-03-14T09:26:52.000Z', revision: 1, applied_revision: 1, runtimes: [] },
  ...{
    broker_stopped: false,
    certificate_ends_at: null,
    measured_at: null,
    alerts: [],
    lines: [],
    series: [],
  },
};
const findings = (more: Partial<Findings> = {}): Findings => ({
  deployment: {
    id: idOf<DeploymentId>(1),
    name: 'orders',
    tier: 'free',
    cloud: 'cloud_a',
    region: 'us-east-1',
  },
  node: { id: idOf<NodeId>(2), name: 'node-1' },
  ...{ created_at: seen.at, completed_at: seen.at, failure: null, secrets_redacted: true },
  ...{ checks: [check()], excerpts: [], examined: null, archive: null, seen },
  ...more,
});
const headingOf = (report: string) => /<h1>([\s\S]*?)<\/h1>/.exec(report)?.[1] ?? '';

test('escapes all that was told, wherever it stands', () => {
  const evil = `<script>alert(1)</script><img src=x onerror="x"> & ' \u202Etxt\u0007`;
  const report = renderReport(
    findings({
      checks: [
        check({
          ...{ status: 'critical', finding: evil, meaning: evil, action: evil, title: evil, group: evil },
          details: [{ name: evil, value: evil }],
        }),
      ],
      excerpts: [{ title: evil, text: evil }],
      seen: {
        ...seen,
        agent_version: evil,
        lines: [{ at: evil, runtime: 'broker', level: 'error', message: evil }],
      },
      deployment: { ...findings().deployment, name: evil },
    }),
  );
  for (const bad of ['<script', '<img', 'onerror="', '\u202E', '\u0007']) expect(report).not.toContain(bad);
  expect(report).toContain('&lt;script&gt;alert(1)');
});

test('says first what is broken, else what is worth a look, else that nothing is wrong', () => {
  const [broken, odd] = [
    check({
      status: 'critical',
      finding: 'The volume is full: 0 B are free. It was so before.',
      action: 'Free it.',
    }),
    check({ status: 'warning', finding: 'It is slow.', action: 'Wait.' }),
  ];
  expect(headingOf(renderReport(findings({ checks: [broken, odd, check()] })))).toMatch(
    /Broken.*The volume is full: 0 B are free\.$/s,
  );
  expect(headingOf(renderReport(findings({ checks: [odd, check()] })))).toContain(
    'one thing is worth a look',
  );
  expect(headingOf(renderReport(findings()))).toContain('Nothing is wrong');
  const nothing = check({ status: 'unknown' });
  expect(headingOf(renderReport(findings({ checks: [nothing] })))).toContain('Nothing could be checked');
});

describe('charts', () => {
  const drawn = (points: [number, number][]) =>
    renderReport(
      findings({ seen: { ...seen, series: [{ runtime: 'node', metric: 'cpu_percent', points }] } }),
    );

  test('say in words what they show', () => {
    const report = drawn([
      [600, 20],
      [300, 80],
      [0, 40],
    ]);
    expect(report).toMatch(
      /<title id="chart-0">\s*Processors over the last 10 min: 40 %, at most 80 %\.\s*<\/title>/,
    );
    expect(report.match(/class="curve-0"/g)).toHaveLength(1);
  });

  test('join nothing across a gap, and show what stands alone', () => {
    const report = drawn([
      [80_000, 20],
      [79_700, 30],
      [600, 50],
    ]);
    expect(report.match(/class="curve-0"/g)).toHaveLength(1);
    expect(report.match(/class="dot-0"/g)).toHaveLength(1);
    expect(report).toContain('24 h ago');
  });

  test('are left out where nothing was measured', () => {
    expect(renderReport(findings())).not.toContain('<figure');
  });
});

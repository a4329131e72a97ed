import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '@sluice/testing';
import { parse } from 'yaml';

/** The alert rules and the dashboard, for the tests that compare them with what the services tell. */

export interface Alert {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

const dashboardFile = join(repository, 'k8s/components/monitoring/control-plane/grafana-dashboard.json');
export const rulesFile = join(repository, 'infra/observability/prometheus-rules.yaml');

export async function readAlerts(): Promise<Alert[]> {
  const { groups } = parse(await readFile(rulesFile, 'utf8')) as { groups: { rules: Alert[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** What the panels of the dashboard ask. */
export async function readPanels(): Promise<string[]> {
  const { panels } = JSON.parse(await readFile(dashboardFile, 'utf8')) as {
    panels: { targets?: { expr: string }[] }[];
  };
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

/** The titles of the sections about alerts. */
export async function readRunbooks(): Promise<string[]> {
  const text = await readFile(join(repository, 'docs/operations/alerts.md'), 'utf8');
  return [...text.matchAll(/^## (\w+)$/gm)].map(([, title = '']) => title);
}

/** A metric as an expression asks for it. */
export interface Asked {
  metric: string;
  /** labels by which it chooses */
  labels: string[];
}

/** What an expression of PromQL asks for. */
export function askedBy(expr: string): Asked[] {
  const metrics = expr.matchAll(/\b((?:sluice|nodejs|process|kube)_\w+|up)\b(?:\{([^}]*)\})?/g);
  return [...metrics].map(([, metric = '', choice = '']) => ({
    metric,
    labels: [...choice.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  }));
}

/** The labels that an expression groups by. */
export const groupedBy = (expr: string) =>
  [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) =>
    labels.split(',').map((label) => label.trim()),
  );

/** The metrics of a text as `/metrics` answers it, each with the labels that its samples have. */
export function toldBy(text: string): Map<string, Set<string>> {
  const labelsByMetric = new Map<string, Set<string>>();
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm))
    for (const end of type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
      labelsByMetric.set(name + end, new Set());
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)\{(.*)\} \S+$/gm))
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) labelsByMetric.get(name)?.add(label);
  return labelsByMetric;
}

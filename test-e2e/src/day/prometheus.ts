import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@sluice/testing';
import { parseAllDocuments, stringify } from 'yaml';
import type { Day } from './day.ts';

const namespace = 'monitoring';
const patience = { timeoutMs: 15 * 60_000, everyMs: 5_000 };

/**
 * What the PodMonitors of `k8s/components/monitoring` select, as it is now: Prometheus of Debian, which has no discovery by Kubernetes,
 * does as well.
 */
async function scrapeConfigs(day: Day): Promise<object[]> {
  const line = '{.metadata.namespace} {.metadata.labels.app\\.kubernetes\\.io/name} {.status.podIP}';
  const path = `jsonpath={range .items[*]}${line}{"\\n"}{end}`;
  const selector = 'app.kubernetes.io/name in (main-api,audit,notifier,console,supervisor)';
  const text = await day.kubectl('get', 'pods', '-A', '-l', selector, '-o', path);
  const pods = text.split('\n').map((one) => one.split(' '));
  return pods.map(([namespace = '', job = '', address = '']) => {
    const [, cloud, region] = /^sluice-(cloud-[ab])-(.+)$/.exec(namespace) ?? [];
    const place = cloud === undefined ? {} : { cloud: cloud.replace('-', '_'), region };
    const labels = { job, namespace, ...place };
    return {
      job_name: `${namespace}/${job}/${address}`,
      static_configs: [{ targets: [`${address}:8080`], labels }],
    };
  });
}

/**
 * Runs Prometheus in the cluster with the alerts of the chart.
 * @param chart the packed chart
 */
export async function startPrometheus(day: Day, chart: string): Promise<void> {
  const template = `helm template sluice ${chart} --values values.yaml --set monitoring.enabled=true`;
  const rendered = await day.run(`${template} --kube-version ${await day.serverVersion()}`, {
    shown: `${template} > monitoring.yaml`,
    isQuiet: true,
  });
  const rule = parseAllDocuments(rendered)
    .map((document) => document.toJS() as { kind?: string; spec?: unknown } | null)
    .find((object) => object?.kind === 'PrometheusRule');
  if (!rule) throw new Error('The chart has no PrometheusRule.');
  const config = {
    global: { scrape_interval: '5s', evaluation_interval: '5s' },
    rule_files: ['rules.yaml'],
    scrape_configs: await scrapeConfigs(day),
  };
  const labels = { app: 'prometheus' };
  const objects = [
    {
      ...{ apiVersion: 'v1', kind: 'Namespace' },
      metadata: { name: namespace, labels: { 'sluice.example/role': 'monitoring' } },
    },
    {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'prometheus', namespace } },
      data: { 'prometheus.yml': stringify(config), 'rules.yaml': stringify(rule.spec) },
    },
    {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'prometheus', namespace } },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            automountServiceAccountToken: false,
            containers: [
              {
                ...{ name: 'prometheus', image: day.options.prometheus, imagePullPolicy: 'IfNotPresent' },
                args: ['--config.file=/etc/prometheus/prometheus.yml', '--storage.tsdb.path=/tmp/prometheus'],
                ports: [{ containerPort: 9090 }],
                readinessProbe: { httpGet: { path: '/-/ready', port: 9090 } },
                volumeMounts: [{ name: 'config', mountPath: '/etc/prometheus' }],
              },
            ],
            volumes: [{ name: 'config', configMap: { name: 'prometheus' } }],
          },
        },
      },
    },
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'prometheus', namespace } },
      spec: { selector: labels, ports: [{ port: 9090 }] },
    },
  ];
  await writeFile(join(day.folder, 'prometheus.yaml'), objects.map((one) => stringify(one)).join('---\n'));
  await day.run('kubectl apply -f prometheus.yaml');
  await day.run(`kubectl -n ${namespace} rollout status deployment/prometheus`, { keep: [/rolled out/] });
}

export async function stopPrometheus(day: Day): Promise<void> {
  await day.run('kubectl delete -f prometheus.yaml');
}

interface Alert {
  state: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

async function ask<Data>(day: Day, path: string): Promise<Data> {
  const service = `/api/v1/namespaces/${namespace}/services/prometheus:9090/proxy`;
  const answer = JSON.parse(await day.kubectl('get', '--raw', `${service}/api/v1/${path}`)) as { data: Data };
  return answer.data;
}

/** The services of which Prometheus scrapes replicas, and how many. */
export async function untilScraped(day: Day, jobs: readonly string[]): Promise<string> {
  return await eventually(async () => {
    const { result } = await ask<{ result: { metric: Record<string, string>; value: [number, string] }[] }>(
      day,
      `query?query=${encodeURIComponent('sum by (job) (up)')}`,
    );
    const found = new Map(result.map(({ metric, value }) => [metric['job'], Number(value[1])]));
    if (jobs.some((job) => (found.get(job) ?? 0) < 2)) throw new Error(JSON.stringify(result));
    return [...found].map(([job, count]) => `${job} ${count}`).join(', ');
  }, patience);
}

/** Waits until an alert fires, or no longer does. @returns it */
export async function untilAlert(day: Day, name: string, fires: boolean): Promise<Alert | undefined> {
  return await eventually(async () => {
    const { alerts } = await ask<{ alerts: Alert[] }>(day, 'alerts');
    const found = alerts.find(({ labels, state }) => labels['alertname'] === name && state === 'firing');
    if ((found !== undefined) !== fires)
      throw new Error(`${name} ${fires ? 'does not fire' : 'still fires'}`);
    return found;
  }, patience);
}

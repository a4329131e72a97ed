import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { repository } from '../settings.ts';
import { objectsByFile, rendered, services, type KubernetesObject } from './objects.ts';

/** What examples make of overlays; undefined, with a warning, where there is no kubectl. */
async function renderedAll(...folders: string[]): Promise<KubernetesObject[] | undefined> {
  const found = await Promise.all(folders.map(rendered));
  if (!found.includes(undefined)) return found.flatMap((objects) => objects ?? []);
  console.warn(`${folders.join(', ')}: not looked at, there is no kubectl on PATH`);
  return undefined;
}
const example = (name: 'ingress' | 'gateway') =>
  renderedAll(`examples/${name}/control-plane`, `examples/${name}/regions/cloud-a-us-east-1`);

const edgeSchema = {
  ingress: z.object({
    spec: z.object({
      ingressClassName: z.string(),
      tls: z.tuple([z.object({ hosts: z.tuple([z.string()]), secretName: z.string() })]),
      rules: z.tuple([z.object({ host: z.string() })]),
    }),
  }),
  route: z.object({
    spec: z.object({
      hostnames: z.tuple([z.string()]),
      parentRefs: z.tuple([z.object({ name: z.string(), namespace: z.string() })]),
      rules: z.array(
        z.object({
          matches: z.array(z.object({ path: z.object({ value: z.string() }) })),
          backendRefs: z.tuple([z.object({ name: z.string() })]),
        }),
      ),
    }),
  }),
  certificate: z.object({ spec: z.object({ secretName: z.string(), dnsNames: z.array(z.string()) }) }),
};
/** `<namespace>/<Secret> <host>` of each certificate that is asked for. */
const certificatesOf = (objects: readonly KubernetesObject[]) =>
  objects.flatMap((object) => {
    if (object.kind !== 'Certificate') return [];
    const { spec } = edgeSchema.certificate.parse(object);
    return spec.dnsNames.map((host) => `${object.metadata.namespace}/${spec.secretName} ${host}`);
  });

test("an overlay's PUBLIC_URL and class reach the Ingresses of the overlay below, and certificates", async () => {
  const objects = await example('ingress');
  if (!objects) return;
  const ingresses = objects.flatMap((object) =>
    object.kind === 'Ingress'
      ? [{ ...edgeSchema.ingress.parse(object).spec, namespace: object.metadata.namespace }]
      : [],
  );
  expect(ingresses.map(({ rules }) => rules[0].host).sort()).toEqual([
    'api.messages.example',
    'audit.messages.example',
    'console.messages.example',
    'us-east-1.messages.example',
  ]);
  expect(ingresses.map(({ ingressClassName }) => ingressClassName)).toEqual(Array(4).fill('haproxy'));
  expect(ingresses.map(({ tls: [{ hosts }] }) => hosts[0])).toEqual(
    ingresses.map(({ rules }) => rules[0].host),
  );
  const wanted = ingresses.map(
    ({ namespace, tls: [{ secretName, hosts }] }) => `${namespace}/${secretName} ${hosts[0]}`,
  );
  expect(certificatesOf(objects).sort()).toEqual(wanted.sort());
});

test('routes to a Gateway replace Ingresses, leave out what is for the operator, and have a listener with a certificate', async () => {
  const objects = await example('gateway');
  if (!objects) return;
  expect(objects.filter(({ kind }) => kind === 'Ingress')).toEqual([]);
  const routes = objects.flatMap((object) => (object.kind === 'HTTPRoute' ? [object] : []));
  expect(routes.map(({ metadata }) => metadata.name).sort()).toEqual([
    'audit',
    'console',
    'main-api',
    'supervisor',
  ]);
  const [gateway] = (await objectsByFile()).get('examples/gateway/gateway.yaml') ?? [];
  const hosts = routes.map((route) => {
    const { spec } = edgeSchema.route.parse(route);
    expect(spec.parentRefs[0]).toEqual({
      name: gateway?.metadata.name,
      namespace: gateway?.metadata.namespace,
    });
    const ways = spec.rules.flatMap(({ matches, backendRefs }) =>
      matches.map(({ path }) => [path.value, backendRefs[0].name]),
    );
    expect(ways).toEqual([
      ['/', route.metadata.name],
      ['/metrics', 'nowhere'],
      ['/readyz', 'nowhere'],
    ]);
    return spec.hostnames[0];
  });
  const { spec } = z
    .object({
      spec: z.object({
        listeners: z.array(
          z.object({
            hostname: z.string(),
            tls: z.object({
              certificateRefs: z.tuple([z.object({ name: z.string(), namespace: z.string() })]),
            }),
          }),
        ),
      }),
    })
    .parse(gateway);
  expect(spec.listeners.map(({ hostname }) => hostname).sort()).toEqual(hosts.sort());
  const served = spec.listeners.map(
    ({
      hostname,
      tls: {
        certificateRefs: [secret],
      },
    }) => ({ hostname, secret }),
  );
  expect(certificatesOf(objects).sort()).toEqual(
    served.map(({ hostname, secret }) => `${secret.namespace}/${secret.name} ${hostname}`).sort(),
  );
  for (const { secret } of served)
    expect(objects).toContainEqual(
      expect.objectContaining({
        kind: 'ReferenceGrant',
        metadata: expect.objectContaining({ namespace: secret.namespace }) as object,
        spec: {
          from: [
            expect.objectContaining({ kind: 'Gateway', namespace: gateway?.metadata.namespace }) as object,
          ],
          to: expect.arrayContaining([{ group: '', kind: 'Secret', name: secret.name }]) as [],
        },
      }),
    );
});

test('each service is scraped as the alerts want it: by a port of its pods, under its name, in a region with its labels', async () => {
  const objects = await example('ingress');
  if (!objects) return;
  for (const service of services) {
    const monitors = objects.filter(
      ({ kind, metadata }) => kind === 'PodMonitor' && metadata.name === service,
    );
    const labels = { 'app.kubernetes.io/name': service };
    const place = [
      { targetLabel: 'cloud', replacement: 'cloud_a' },
      { targetLabel: 'region', replacement: 'us-east-1' },
    ];
    const endpoint = { port: 'http', path: '/metrics' };
    expect(monitors.map(({ spec }) => spec)).toEqual([
      {
        selector: { matchLabels: labels },
        jobLabel: 'app.kubernetes.io/name',
        podMetricsEndpoints: [service === 'supervisor' ? { ...endpoint, relabelings: place } : endpoint],
      },
    ]);
    expect(objects).toContainEqual(
      expect.objectContaining({
        kind: 'Deployment',
        metadata: expect.objectContaining({
          namespace: monitors[0]?.metadata.namespace,
          name: service,
        }) as object,
        spec: expect.objectContaining({
          template: expect.objectContaining({
            metadata: { labels: { ...labels, 'app.kubernetes.io/part-of': 'sluice' } },
            spec: expect.objectContaining({
              containers: [
                expect.objectContaining({
                  ports: expect.arrayContaining([{ name: 'http', containerPort: 8080 }]) as [],
                }),
              ],
            }) as object,
          }) as object,
        }) as object,
      }),
    );
  }
});

test('the brokers of a region are scraped at the Service of its supervisors, once for all replicas', async () => {
  const objects = await example('ingress');
  if (!objects) return;
  const [scrape] = objects.filter(({ kind }) => kind === 'ScrapeConfig');
  const namespace = 'sluice-cloud-a-us-east-1';
  expect(scrape?.metadata.namespace).toBe(namespace);
  expect(scrape?.['spec']).toMatchObject({
    ...{ metricsPath: '/metrics', params: { scope: ['nodes'] } },
    staticConfigs: [
      { targets: [`supervisor.${namespace}.svc`], labels: { cloud: 'cloud_a', region: 'us-east-1' } },
    ],
    relabelings: [{ targetLabel: 'job', replacement: 'nodes' }],
  });
  expect(objects).toContainEqual(
    expect.objectContaining({
      kind: 'Service',
      metadata: expect.objectContaining({ name: 'supervisor', namespace }) as object,
      spec: expect.objectContaining({ ports: [{ name: 'http', port: 80, targetPort: 'http' }] }) as object,
    }),
  );
});

test('each alert in a cluster leads to its section of the runbook, and a service without any replica is one', async () => {
  const objects = await example('ingress');
  if (!objects) return;
  const [rule] = objects.filter(({ kind }) => kind === 'PrometheusRule');
  const { spec } = z
    .object({
      spec: z.object({
        groups: z.array(
          z.object({
            rules: z.array(
              z.object({
                alert: z.string(),
                expr: z.string(),
                annotations: z.object({ summary: z.string(), runbook_url: z.string() }),
              }),
            ),
          }),
        ),
      }),
    })
    .parse(rule);
  const alerts = spec.groups.flatMap(({ rules }) => rules);
  const text = await readFile(join(repository, 'docs/operations/alerts.md'), 'utf8');
  const headings = [...text.matchAll(/^## (\w+)$/gm)].map(([, heading = '']) => heading);
  expect(alerts.map(({ alert }) => alert).sort()).toEqual(headings.sort());
  for (const { alert, annotations } of alerts)
    expect(annotations.runbook_url).toBe(
      `https://docs.messages.example/operations/alerts.md#${alert.toLowerCase()}`,
    );
  // an installation may be without the console: it is missed once it has been there
  const absent = (service: string) =>
    service === 'console' ? 'last_over_time(up{job="console"}[1d])' : `absent(up{job="${service}"})`;
  for (const service of services)
    expect(alerts.filter(({ expr }) => expr.includes(absent(service)))).toHaveLength(1);
  const dashboard = objects.find(({ metadata }) => metadata.name === 'sluice-dashboard');
  expect(dashboard?.metadata).toMatchObject({ labels: { grafana_dashboard: '1' } });
  const { 'sluice.json': json } = z.object({ 'sluice.json': z.string() }).parse(dashboard?.['data']);
  expect(JSON.parse(json)).toMatchObject({ title: 'Sluice', uid: 'sluice' });
  const { 'sluice-brokers.json': brokers } = z
    .object({ 'sluice-brokers.json': z.string() })
    .parse(dashboard?.['data']);
  expect(JSON.parse(brokers)).toMatchObject({ uid: 'sluice-brokers' });
});

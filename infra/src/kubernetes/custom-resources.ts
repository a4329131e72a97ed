import { z } from 'zod';

/** Objects of the Prometheus Operator, the Gateway API, cert-manager and CloudNativePG: the fields that the manifests use. */

const name = z.string().min(1);
const labels = z.record(z.string(), z.string());
const duration = z.string().regex(/^[0-9]+[smhd]$/);

const ruleSchema = z.strictObject({
  alert: z.string().regex(/^Sluice[A-Za-z]+$/),
  expr: z.string().refine(isBalanced, 'has brackets or quotes that do not match'),
  for: duration.optional(),
  labels,
  annotations: labels,
});

const pathSchema = z.strictObject({
  type: z.enum(['PathPrefix', 'Exact']),
  value: z.string().startsWith('/'),
});
const secretSchema = z.strictObject({ name, namespace: name.optional() });

const specs = {
  'monitoring.coreos.com/v1 PodMonitor': z.strictObject({
    selector: z.strictObject({ matchLabels: labels }),
    jobLabel: name,
    podMetricsEndpoints: z.array(
      z.strictObject({
        port: name,
        path: z.string().startsWith('/'),
        relabelings: z.array(z.strictObject({ targetLabel: name, replacement: z.string() })).optional(),
      }),
    ),
  }),
  'monitoring.coreos.com/v1 PrometheusRule': z.strictObject({
    groups: z.array(z.strictObject({ name, rules: z.array(ruleSchema) })),
  }),
  'gateway.networking.k8s.io/v1 Gateway': z.strictObject({
    gatewayClassName: name,
    listeners: z.array(
      z.strictObject({
        name,
        port: z.int(),
        protocol: z.literal('HTTPS'),
        hostname: name,
        tls: z.strictObject({ certificateRefs: z.array(secretSchema) }),
        allowedRoutes: z.strictObject({
          namespaces: z.strictObject({
            from: z.literal('Selector'),
            selector: z.strictObject({ matchLabels: labels }),
          }),
        }),
      }),
    ),
  }),
  'gateway.networking.k8s.io/v1 HTTPRoute': z.strictObject({
    parentRefs: z.array(z.strictObject({ name, namespace: name, sectionName: name.optional() })),
    hostnames: z.array(name),
    rules: z.array(
      z.strictObject({
        matches: z.array(z.strictObject({ path: pathSchema })),
        backendRefs: z.array(z.strictObject({ name, port: z.int() })),
        timeouts: z.strictObject({ request: duration }).optional(),
      }),
    ),
  }),
  'gateway.networking.k8s.io/v1beta1 ReferenceGrant': z.strictObject({
    from: z.array(z.strictObject({ group: name, kind: name, namespace: name })),
    to: z.array(z.strictObject({ group: z.string(), kind: name, name })),
  }),
  'postgresql.cnpg.io/v1 Cluster': z.strictObject({
    instances: z.int().min(1),
    imageName: z.string().regex(/:\d+$/),
    postgresql: z.strictObject({
      parameters: labels,
      synchronous: z.strictObject({
        method: z.enum(['any', 'first']),
        number: z.int().min(1),
        dataDurability: z.enum(['required', 'preferred']),
      }),
      pg_hba: z.array(z.string()),
    }),
    primaryUpdateStrategy: z.enum(['unsupervised', 'supervised']),
    storage: z.strictObject({ size: z.string().regex(/^\d+Gi$/) }),
    resources: z.strictObject({ requests: labels, limits: labels }),
    managed: z.strictObject({
      roles: z.array(
        z.strictObject({
          name,
          ensure: z.literal('present'),
          login: z.literal(true),
          passwordSecret: z.strictObject({ name }),
        }),
      ),
    }),
  }),
  'postgresql.cnpg.io/v1 Database': z.strictObject({
    cluster: z.strictObject({ name }),
    name,
    owner: name,
  }),
  'cert-manager.io/v1 Certificate': z.strictObject({
    secretName: name,
    dnsNames: z.array(name).min(1),
    privateKey: z.strictObject({
      algorithm: z.literal('ECDSA'),
      size: z.literal(256),
      rotationPolicy: z.literal('Always'),
    }),
    issuerRef: z.strictObject({ group: z.literal('cert-manager.io'), kind: name, name }),
  }),
};

/** What its definition wants of an object of a kind that is not Kubernetes' own, by `<apiVersion> <kind>`. */
export const customResources = new Map<string, z.ZodType>(
  Object.entries(specs).map(([kind, spec]) => [
    kind,
    z.strictObject({
      apiVersion: z.string(),
      kind: z.string(),
      metadata: z.strictObject({
        name,
        namespace: name.optional(),
        labels: labels.optional(),
        annotations: labels.optional(),
      }),
      spec,
    }),
  ]),
);

/** Whether each bracket of an expression of PromQL is closed by its like, outside of strings. */
function isBalanced(expr: string): boolean {
  let rest = expr.replaceAll(/"[^"]*"/g, '');
  if (rest.includes('"')) return false;
  rest = rest.replaceAll(/[^()[\]{}]/g, '');
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replaceAll(/\(\)|\[\]|\{\}/g, '');
  }
  return rest === '';
}

import { z } from 'zod';
import { settingNames } from '../generated/setting-names.ts';
import { imageNames } from './images.ts';

/** The values of the chart: what is not described here is refused. Defaults that bases have are read from them (`defaults.ts`). */

const dnsLabel = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
const objectName = z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/);
/** `-d<deployment>` follows it in the namespaces of deployments */
const regionNamespace = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$/);
const optional = (name: z.ZodString) => z.union([z.literal(''), name]);
const url = z.string().regex(/^https?:\/\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$/);
const nodePort = z.int().min(1).max(65_535);
const quantity = z.union([z.string().regex(/^[0-9]+(\.[0-9]+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/), z.int().min(0)]);
const textMap = z.record(z.string(), z.string());
const anyObject = z.record(z.string(), z.unknown());

const quantities = z.strictObject({
  cpu: quantity.optional(),
  memory: quantity.optional(),
  'ephemeral-storage': quantity.optional(),
});
const resources = z
  .strictObject({ requests: quantities.optional(), limits: quantities.optional() })
  .describe('what a pod of it requests, and its limits');
const replicas = z
  .strictObject({ min: z.int().min(1), max: z.int().min(1) })
  .describe('between which the autoscaler chooses; without a metrics server there are `min`');
const egress = z
  .array(anyObject)
  .default([])
  .describe('further destinations: `egress` of a NetworkPolicy, such as that of a private mail server');
const secret = (keys: string) => objectName.describe(`the existing Secret with the keys ${keys}`);
const tlsSecret = objectName.describe('the Secret of its certificate, for an Ingress or a Gateway');
const publicUrl = url.describe('what clients call; its host is that of the Ingress or the route');
const authority = optional(objectName)
  .default('')
  .describe('for TLS: the ConfigMap in each namespace whose `ca.crt` signs the certificates of the servers');
const podTemplate = z
  .strictObject({
    pods: anyObject.optional(),
    services: anyObject.optional(),
    privateServices: anyObject.optional(),
  })
  .describe(
    'KUBERNETES_NODE_TEMPLATE: what pods and Services of nodes have besides what the supervisor decides',
  );

/** Settings that have a value of their own here, or that the manifests decide. */
const decided = new Set([
  ...['CONSOLE_URL', 'CONSOLE_REPLICAS', 'DEVICE_PAGE_URL', 'REGION_ADDRESSES', 'SIGN_IN_CALLBACK_URL'],
  ...['CONSOLE_FILES'],
  ...['HOST', 'PORT', 'PUBLIC_URL', 'MAIN_API_URL', 'AUDIT_URL', 'CLOUD', 'REGION'],
  ...['CATALOGUE_FILE', 'COMPUTE_DRIVER'],
  ...[
    'DATABASE_URL',
    'DATABASE_WRITER_URL',
    'NATS_NKEY_SEED',
    'SIGNING_KEYS',
    'TRUSTED_KEYS',
    'SECRETS_KEYS',
  ],
  ...['MAIL_KEYS', 'PROTECTION_KEY', 'SMTP_URL', 'MAIL_TRANSPORT', 'MAIL_DIR', 'BOUNCES_PORT'],
  ...['NATS_URL', 'BASE_DOMAIN', 'TRUSTED_PROXIES', 'NODE_IMAGE', 'KUBERNETES_RESOLVERS'],
  ...['AGENT_API_URL', 'AGENT_API_AUTHORITY', 'KUBERNETES_OWNER', 'KUBERNETES_NODE_TEMPLATE'],
  ...['KUBERNETES_PULL_CREDENTIALS', 'KUBERNETES_NODE_ROLE', 'SHUTDOWN_DELAY_SECONDS'],
]);
/** They need a file or a folder, for which pods have no volume. */
const ofFiles = /_(FILE|DIR)$|^LOCAL_|^KUBECONFIG$/;
const env = (...services: (keyof typeof settingNames)[]) => {
  const names = services.flatMap((service): string[] => [...settingNames[service]]);
  const open = [...new Set(names)].filter((name) => !decided.has(name) && !ofFiles.test(name)).sort();
  return z
    .strictObject(Object.fromEntries(open.map((name) => [name, z.string().optional()])))
    .describe('further settings (docs/settings.md), as texts');
};

const image = z.strictObject({
  name: z.string().min(1),
  tag: z.string().min(1),
  digest: z.union([z.literal(''), z.string().regex(/^sha256:[0-9a-f]{64}$/)]),
});

const regionFields = {
  cloud: z.string().regex(/^[a-z][a-z0-9_]*$/),
  region: dnsLabel,
  publicUrl,
};
/** What all regions have, and each may have differently. */
const regionOptions = {
  replicas,
  resources,
  env: env('supervisor'),
  secret: secret('DATABASE_URL, NATS_NKEY_SEED, SIGNING_KEYS, TRUSTED_KEYS, SECRETS_KEYS'),
  tlsSecret,
  egress,
  nodeTemplate: podTemplate.default({}),
  agentApiAuthority: optional(objectName)
    .default('')
    .describe('the Secret whose `ca.crt` signs the certificate of agentApiUrl'),
};
const region = z.strictObject({
  ...regionFields,
  namespace: regionNamespace.optional().describe('sluice-<cloud>-<region> by default'),
  agentApiUrl: url.optional().describe('what agents call, if it is not publicUrl'),
  nodePort: nodePort.optional().describe('for edge.kind nodePorts'),
  ...z.strictObject(regionOptions).partial().shape,
});

export const valuesSchema = z.strictObject({
  images: z
    .strictObject({
      registry: z.string().describe('goes before each name: registry.example, or registry.example/team'),
      pullSecret: optional(objectName)
        .default('')
        .describe('a Secret of the type kubernetes.io/dockerconfigjson in each namespace'),
      ...(Object.fromEntries(imageNames.map(({ key }) => [key, image])) as Record<
        (typeof imageNames)[number]['key'],
        typeof image
      >),
    })
    .describe('a digest goes before the tag'),
  namespaces: z
    .strictObject({ create: z.boolean().default(true) })
    .prefault({})
    .describe('they stay when the release is uninstalled'),
  domain: z.string().min(1).describe('below which brokers have their names: BASE_DOMAIN'),
  nats: z.strictObject({
    url: z
      .string()
      .regex(/^(nats|tls):\/\/[^\s,]+(,(nats|tls):\/\/[^\s,]+)*$/)
      .describe('addresses, separated by commas; not used with data.enabled'),
    authority,
    clientCertificate: optional(objectName)
      .default('')
      .describe('a Secret kubernetes.io/tls in each namespace, for servers that want one'),
  }),
  postgresql: z.strictObject({ authority }).prefault({}),
  trustedProxies: z.string().describe('blocks of addresses of the ingress controller: TRUSTED_PROXIES'),
  env: env('main-api', 'audit', 'notifier', 'console', 'supervisor').describe(
    'settings of all services, as texts',
  ),
  cluster: z
    .strictObject({ enabled: z.boolean().default(true) })
    .prefault({})
    .describe('what all regions of a cluster share: one release of a cluster has it'),
  controlPlane: z.strictObject({
    enabled: z.boolean().default(true),
    namespace: dnsLabel.default('sluice'),
    catalogue: z
      .string()
      .default('')
      .describe("the catalogue's text (--set-file); the chart's files/catalogue.yaml by default"),
    mainApi: z.strictObject({
      publicUrl,
      replicas,
      resources,
      env: env('main-api'),
      secret: secret(
        'DATABASE_URL, NATS_NKEY_SEED, SIGNING_KEYS, TRUSTED_KEYS, SECRETS_KEYS, MAIL_KEYS, PROTECTION_KEY',
      ),
      tlsSecret,
      egress,
    }),
    audit: z.strictObject({
      publicUrl,
      replicas,
      resources,
      env: env('audit'),
      secret: secret(
        'DATABASE_URL, DATABASE_WRITER_URL, NATS_NKEY_SEED, SIGNING_KEYS, TRUSTED_KEYS, SECRETS_KEYS',
      ),
      tlsSecret,
      egress,
    }),
    notifier: z.strictObject({
      replicas: z.int().min(1),
      resources,
      env: env('notifier'),
      secret: secret('DATABASE_URL, NATS_NKEY_SEED, TRUSTED_KEYS, SECRETS_KEYS, MAIL_KEYS, SMTP_URL'),
      egress,
      mails: z.enum(['smtp', 'file']).default('smtp').describe('file: in /tmp/mail of its pods, for a trial'),
      bounces: z.boolean().default(false).describe('a load balancer for mails that come back'),
    }),
    console: z
      .strictObject({
        enabled: z.boolean().default(true),
        publicUrl: publicUrl.describe(
          'where browsers reach it, by https; links in mails, identity providers and terminals lead people there',
        ),
        replicas,
        resources,
        env: env('console'),
        tlsSecret,
        egress,
        regionAddresses: z
          .record(z.string().regex(/^[a-z][a-z0-9_]*\/[a-z0-9-]+$/), url)
          .default({})
          .describe(
            'where it reaches regions of other releases, by <cloud>/<region>, if not at their publicUrl',
          ),
      })
      .describe('the web console'),
    admin: z.strictObject({
      enabled: z.boolean().default(true),
      resources,
      secret: secret('NATS_NKEY_SEED of sluice-admin, DATABASE_URL.<service>'),
    }),
    keys: z
      .strictObject({
        enabled: z.boolean().default(true),
        resources,
        regions: z
          .array(z.string().regex(/^[a-z][a-z0-9_]*\/[a-z0-9-]+$/))
          .default([])
          .describe(
            '<cloud>/<region> of all regions, also those of other releases; `regions` below by default',
          ),
        postgresql: z.string().min(1).describe('<host>:<port>'),
        dataNamespace: dnsLabel.describe('with PostgreSQL and NATS elsewhere that of the control plane'),
        upgrading: z.boolean().default(false),
      })
      .describe('the template of Jobs that make keys and Secrets, for which these have their default names'),
  }),
  supervisor: z.strictObject(regionOptions).describe('of all regions'),
  regions: z.array(region).describe('each may have what `supervisor` has, too'),
  pods: z
    .strictObject({
      labels: textMap.default({}),
      annotations: textMap.default({}),
      nodeSelector: textMap.default({}),
      tolerations: z.array(anyObject).default([]),
      priorityClassName: optional(objectName).default(''),
    })
    .prefault({})
    .describe("pods of Sluice's services; those of nodes have nodeTemplate"),
  edge: z.strictObject({
    kind: z.enum(['ingress', 'gateway', 'nodePorts', 'none']).default('ingress'),
    ingress: z.strictObject({ className: objectName, annotations: textMap.default({}) }),
    gateway: z.strictObject({ name: objectName, namespace: dnsLabel }),
    certificates: z
      .strictObject({
        issuer: optional(objectName).default(''),
        kind: z.enum(['ClusterIssuer', 'Issuer']),
      })
      .describe("cert-manager makes the certificates, if it has an issuer's name"),
    nodePorts: z.strictObject({ mainApi: nodePort, audit: nodePort, console: nodePort }),
  }),
  network: z
    .strictObject({
      data: z.strictObject({
        cidrs: z.array(z.string().min(9)).min(1),
        ports: z.array(z.int().min(1).max(65_535)).min(1),
      }),
      nodeLocalDns: z.boolean().default(false).describe('lets pods ask NodeLocal DNSCache, 169.254.20.10'),
      acmeNameServers: z
        .boolean()
        .default(false)
        .describe('lets supervisors ask name servers, for ACME by DNS'),
    })
    .describe('where PostgreSQL and NATS are, for NetworkPolicies; not used with data.enabled'),
  monitoring: z
    .strictObject({
      enabled: z.boolean().default(false),
      labels: textMap.default({}).describe('by which Prometheus finds them: release: kube-prometheus-stack'),
      runbooks: z.string().min(1).describe('the address of docs/operations/alerts.md'),
    })
    .describe('objects of the Prometheus Operator, and the dashboard'),
  dumps: z
    .strictObject({
      enabled: z.boolean().default(false),
      schedule: z.string().min(9),
      storage: z
        .union([z.literal(''), quantity])
        .default('')
        .describe('of a volume, where no bucket is used'),
      resources,
      env: z
        .strictObject(
          Object.fromEntries(
            ['RECIPIENTS', 'BUCKET', 'PREFIX', 'REGION', 'ENDPOINT', 'KEEP_DAYS'].map((name) => [
              `DUMPS_${name}`,
              z.string().optional(),
            ]),
          ),
        )
        .default({})
        .describe('settings, as texts; the Secret `dumps` may have more'),
    })
    .describe('encrypted dumps of all databases'),
  data: z
    .strictObject({
      enabled: z.boolean().default(false),
      storageClass: optional(objectName).default('').describe('the default one by default'),
      postgresql: z.strictObject({ image: z.string().min(1), storage: quantity, resources }),
      nats: z.strictObject({ image: z.string().min(1), resources }),
    })
    .describe('PostgreSQL and NATS in the namespace sluice-data, for a trial'),
  global: anyObject.optional().describe('not used; a chart above this one may have it'),
});
export type Values = z.input<typeof valuesSchema>;

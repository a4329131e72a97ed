import { consumerLagThresholds } from '@sluice/contracts/consumer-lag';
import { z } from 'zod';

/*
 * The document of `sluice apply`. The JSON schema for editors is made from it, and the command validates with it. Values that the servers
 * know better, such as regions, are left to them.
 */

const name = z.string().min(1).max(100);
const text = (description: string, most = 500) => z.string().max(most).nullable().describe(description);
const secret = (description: string) =>
  z
    .string()
    .regex(/\$\{(env|file):[^}]+\}/, { error: 'is a secret: write it as ${env:NAME} or ${file:PATH}' })
    .describe(`${description}; a secret: \${env:NAME} or \${file:PATH}`);
const was = name.optional().describe('what it was called before: it is renamed');
const absent = z.literal(true).optional().describe('it is deleted if it is there');
const labels = z
  .record(z.string().max(127), z.string().max(63))
  .nullable()
  .describe('all labels, in the place of those that there are');
const isProtected = z.boolean().describe('whether its deletion needs a one-time code');

const accessRule = z
  .strictObject({
    name,
    absent,
    cidr_blocks: z.array(z.string()).min(1).max(100).describe('IPv4 blocks such as 192.0.2.0/24'),
    protocols: z
      .array(z.enum(['tcp', 'http', 'websocket', 'udp']))
      .min(1)
      .describe('what is let in; tcp unless given'),
    valid_to: z.iso.datetime({ offset: true }).nullable().describe('the end of the rule'),
    remarks: text('a text for people', 400),
  })
  .partial()
  .required({ name: true })
  .describe('lets addresses connect');

const values = z.record(z.string(), z.unknown());

const configuration = z
  .strictObject({
    name,
    absent,
    values: values.describe('by key of `sluice configs schema`; secrets by reference'),
    active: z.literal(true).describe('the broker runs by it; one of a deployment at most'),
  })
  .partial()
  .required({ name: true })
  .describe('a named configuration of the broker');

const connector = z
  .strictObject({
    key: name.describe('of the instance, unique in the deployment'),
    absent,
    connector: z.string().describe('the key of the connector in the catalogue'),
    type: z.enum(['sink', 'source']),
    name,
    values: values.describe(
      'its configuration: enabled, streams, plugin_config, transforms; secrets by reference',
    ),
  })
  .partial()
  .required({ key: true })
  .describe('an instance of a connector');

const backups = z
  .strictObject({
    enabled: z.boolean().default(true),
    cron: z.string().max(100).describe('minute, hour, day of the month, month, day of the week, in UTC'),
    keep: z.int().min(1).describe('how many of the schedule are kept'),
  })
  .describe('when backups are taken by themselves');

const deployment = z
  .strictObject({
    name,
    description: text('a text for people'),
    labels,
    protected: isProtected,
    cloud: z.string(),
    region: z.string(),
    tier: z.string().describe('the size, such as free or small'),
    cluster: z.enum(['standalone', 'cluster']).describe('standalone unless given'),
    nodes: z.int().min(1).describe('of a cluster'),
    encrypted: z.boolean(),
    dedicated: z.boolean(),
    public_ip_enabled: z.boolean(),
    availability_mode: z.enum(['single_az', 'multi_az']),
    target_network_tput: z.int().min(1).nullable().describe('KB/s, for planning'),
    storage: z
      .strictObject({ type: z.enum(['local_ssd', 'network_balanced']), size: z.int().min(1).nullable() })
      .partial()
      .describe('gigabytes'),
    retention: z.strictObject({ telemetry_days: z.int().min(1) }).describe('of metrics, logs and heartbeats'),
    spend_limit: z.number().min(0).nullable().describe('US dollars a month'),
    byoc: z
      .record(z.string(), z.string())
      .describe(
        'it is in your own account: the access to it, as the options of `sluice byoc create` name it',
      ),
    access_rules: z.array(accessRule),
    configurations: z.array(configuration),
    connectors: z.array(connector),
    backups,
  })
  .partial()
  .required({ name: true })
  .describe('a deployment; cloud, region and tier are needed for a new one');

const subscription = z.strictObject({
  message_types: z.array(z.string()).min(1).describe('types of events'),
  consumer_lag_threshold: z
    .literal([...consumerLagThresholds])
    .describe('of consumer_lag_high: from how many messages on; 10,000 unless given')
    .optional(),
  scopes: z
    .array(z.string())
    .describe('places such as payments or payments/dev/orders, / for the tenant; everything unless given')
    .optional(),
});

const channel = z
  .strictObject({
    name,
    was,
    absent,
    channel: z.enum(['email', 'chat', 'webhook']),
    destination: z
      .string()
      .describe('a mail address; for chat and webhook an address, by ${env:NAME} or ${file:PATH}'),
    enabled: z.boolean(),
    remarks: text('a text for people', 400),
    settings: z
      .strictObject({
        chat: z.strictObject({ channel: z.string(), username: z.string(), icon_emoji: z.string() }).partial(),
        webhook: z
          .strictObject({ method: z.string(), headers: z.record(z.string(), secret('a header')) })
          .partial(),
      })
      .partial(),
    subscriptions: z.array(subscription),
  })
  .partial()
  .required({ name: true })
  .refine(
    ({ channel: kind, destination }) =>
      kind === undefined || kind === 'email' || !destination || /\$\{(env|file):/.test(destination),
    {
      path: ['destination'],
      error: 'is a secret for chat and webhook: write it as ${env:NAME} or ${file:PATH}',
    },
  )
  .describe('where notifications go');

const environment = z
  .strictObject({
    name,
    was,
    description: text('a text for people'),
    labels,
    protected: isProtected,
    deployments: z.array(deployment),
  })
  .partial()
  .required({ name: true });

const division = z
  .strictObject({
    name,
    was,
    description: text('a text for people'),
    labels,
    protected: isProtected,
    email: text('the contact address'),
    email_subdomain: text('labels below the e-mail domain of the tenant'),
    channels: z.array(channel),
    environments: z.array(environment),
  })
  .partial()
  .required({ name: true });

const permissionNames = z.array(z.string());
const permissions = z
  .strictObject({
    tenant: permissionNames,
    division: permissionNames,
    environment: permissionNames,
    divisions: z
      .record(
        z.string(),
        z
          .strictObject({
            permissions: permissionNames,
            environment: permissionNames,
            environments: z.record(z.string(), permissionNames),
          })
          .partial(),
      )
      .describe('in place of the defaults, by the name of the division and of its environments'),
  })
  .partial();

const role = z.strictObject({ name, was, absent, permissions: permissions.optional() });

const member = z
  .strictObject({
    email: z.string().min(3),
    absent,
    roles: z.array(z.string()).describe('names of roles'),
    active: z.boolean(),
  })
  .partial()
  .required({ email: true })
  .describe('a member, who is invited if there is none with the address');

const tlsAuthority = z
  .string()
  .nullable()
  .describe('certificates in PEM form in place of the well-known ones');

const auditSink = z
  .strictObject({
    enabled: z.boolean().optional(),
    interval_seconds: z.int().optional(),
    start: z.enum(['beginning', 'now']).optional().describe('where a new sink begins'),
    https: z
      .strictObject({
        url: z.string(),
        format: z.enum(['ndjson', 'json']).optional(),
        headers: z.record(z.string(), secret('a header')).optional(),
        signing_secret: secret('what requests are signed with').nullable().optional(),
        tls_ca: tlsAuthority.optional(),
      })
      .optional(),
    s3: z
      .strictObject({
        endpoint: z.string().nullable().optional(),
        region: z.string().optional(),
        bucket: z.string(),
        prefix: z.string().optional(),
        path_style: z.boolean().optional(),
        access_key_id: z.string(),
        secret_access_key: secret('the key'),
        tls_ca: tlsAuthority.optional(),
      })
      .optional(),
  })
  .nullable()
  .describe('where the audit log is sent; null for nowhere');

export const documentSchema = z
  .strictObject({
    set: z
      .string()
      .regex(/^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/)
      .describe('the name of the set: a label on what is made, by which --prune knows it'),
    tenant: z
      .strictObject({
        join_policy: z.enum(['invite_only', 'open', 'request_to_join']),
        block_external_invitations: z.boolean(),
        enforce_domain_only_invitations: z.boolean(),
      })
      .partial()
      .describe('how people come into the tenant'),
    audit_sink: auditSink,
    roles: z.array(role),
    members: z.array(member),
    channels: z.array(channel),
    divisions: z.array(division),
  })
  .partial();

export type SluiceDocument = z.infer<typeof documentSchema>;
export type DivisionPart = z.infer<typeof division>;
export type EnvironmentPart = z.infer<typeof environment>;
export type DeploymentPart = z.infer<typeof deployment>;
export type ChannelPart = z.infer<typeof channel>;
export type RulePermissions = z.infer<typeof permissions>;

/** The schema for editors, as JSON Schema 2020-12. */
export const jsonSchema = (): object => ({
  title: 'sluice apply',
  ...z.toJSONSchema(documentSchema, { io: 'input' }),
});

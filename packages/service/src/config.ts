import { isIP } from 'node:net';
import { signingKeysSchema, trustedKeysSchema } from '@sluice/contracts';
import { tracingSettings } from '@sluice/system/tracing';
import { z } from 'zod';
import type { StatementLimits } from './database/postgres.ts';
import type { TenantSharesOptions } from './database/tenant-shares.ts';

export { ConfigError, readConfig } from '@sluice/system';

const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
const path = z.string().min(1);

/** The proxy through which a service reaches what customers have elsewhere; an empty value names none. */
export const httpsProxySchema = z
  .union([z.literal(''), z.url({ protocol: /^http$/ })])
  .optional()
  .transform((text) => (text ? new URL(text) : undefined));

/** Name servers for names that customers choose, separated by commas; an empty value names none. */
export const nameServersSchema = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((entry) => entry.trim() || []))
  .refine((entries) => entries.every(isNameServer), {
    error: 'has to be addresses, each with or without a port',
  })
  .transform((entries) => (entries.length === 0 ? undefined : entries));

function isNameServer(text: string): boolean {
  const [, inBrackets, plain, port = '53'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const isPort = Number(port) > 0 && Number(port) < 65_536;
  return isIP(text) !== 0 || (isPort && (isIP(inBrackets ?? '') === 6 || isIP(plain ?? '') === 4));
}

/** The variables that every service reads. Services extend it with their own. */
export const serviceEnvironment = z.object({
  HOST: z.string().default('127.0.0.1').describe('address to listen on'),
  PORT: z.coerce.number().int().min(0).max(65535).describe('port to listen on; 0 takes a free one'),
  PUBLIC_URL: z.url().optional().describe('where clients reach the service'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).describe('postgresql:// address of the own database'),
  DATABASE_TLS_CA_FILE: path
    .optional()
    .describe(
      "file with the CA of PostgreSQL's certificate; it makes TLS mandatory, with the host of the address (sslmode=verify-full)",
    ),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(1_000).default(10).describe('connections at most'),
  DATABASE_PREPARED_STATEMENTS: z.coerce
    .number()
    .int()
    .min(0)
    .max(5_000)
    .default(250)
    .describe(
      'statements that each connection keeps prepared; 0 behind a pooler that does not keep them, such as PgBouncer by transaction',
    ),
  DATABASE_TENANT_CONNECTIONS: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('connections that changes of one tenant may use at a time; default: a third of them'),
  DATABASE_STATEMENT_SECONDS: z.coerce
    .number()
    .min(1)
    .max(600)
    .default(30)
    .describe('seconds after which the database ends a statement'),
  DATABASE_LOCK_SECONDS: z.coerce
    .number()
    .min(0.1)
    .max(600)
    .default(10)
    .describe(
      'part of these seconds that a statement may wait for a lock, and a change for other changes of its tenant',
    ),
  NATS_URL: z.string().min(1).describe('address of NATS; several separated by commas'),
  NATS_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9]+$/, 'has to be lowercase letters and digits')
    .default('sluice')
    .describe('prefix of all streams, subjects and buckets'),
  NATS_NKEY_SEED: z
    .string()
    .regex(/^SU[A-Z2-7]{56}$/, 'has to be the seed of a user NKey')
    .optional()
    .describe("seed of the NKey of this service's NATS user"),
  NATS_CREDENTIALS_FILE: path
    .optional()
    .describe('file with the credentials (.creds) of its NATS user, instead of NATS_NKEY_SEED'),
  NATS_TLS_CA_FILE: path.optional().describe("file with the CA of NATS' certificate; it makes TLS mandatory"),
  NATS_TLS_CERT_FILE: path.optional().describe('file with the client certificate of this service for NATS'),
  NATS_TLS_KEY_FILE: path.optional().describe('file with the key of NATS_TLS_CERT_FILE'),
  TRUSTED_KEYS: trustedKeysSchema.describe(
    'public keys of the services that sign messages: a JSON Web Key Set of Ed25519 keys, kid <signer>:<key>',
  ),
  LOG_LEVEL: z
    .enum(['error', 'warn', 'info', 'debug'])
    .default('info')
    .describe('lowest level that is logged'),
  ...tracingSettings,
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .describe('addresses or CIDRs of the proxies whose X-Forwarded-For counts, separated by commas'),
  VALIDATE_RESPONSES: flag.default(false).describe('check every answer against the OpenAPI document (tests)'),
  GRANT_LEASE_SECONDS: z.coerce
    .number()
    .positive()
    .default(5)
    .describe(
      'seconds that an instance may go without NATS, after which it answers 503; the same in all services, a higher value first in main-api. A change of rights waits so long for an instance that was killed or cut off',
    ),
  RATE_LIMIT_PER_SECOND: z.coerce
    .number()
    .positive()
    .default(100)
    .describe('requests per second of an API key, per instance'),
  RATE_LIMIT_BURST: z.coerce
    .number()
    .int()
    .min(1)
    .default(200)
    .describe('requests of an API key at once after a pause'),
  OUTBOX_KEEP_DAYS: z.coerce
    .number()
    .positive()
    .max(14)
    .default(3)
    .describe('days for which sent messages are kept, to be sent again if NATS loses them'),
  TOMBSTONE_KEEP_DAYS: z.coerce
    .number()
    .int()
    // a message about one is put aside after days, and may be sent again from there for ninety
    .min(120)
    .max(100_000)
    .default(400)
    .describe('days for which tombstones of deployments are kept (main-api and supervisors)'),
  ADDRESS_RATE_LIMIT_PER_SECOND: z.coerce
    .number()
    .positive()
    .optional()
    .describe('the same for requests of one address that are refused or need no key; default: that of a key'),
  ADDRESS_RATE_LIMIT_BURST: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('the same for requests of one address that are refused or need no key; default: that of a key'),
  REQUEST_HEADERS_SECONDS: z.coerce
    .number()
    .positive()
    .default(10)
    .describe('seconds that the headers of a request may take to arrive'),
  REQUEST_BODY_SECONDS: z.coerce
    .number()
    .positive()
    .default(15)
    .describe('seconds that the body of a request may take to arrive'),
  REQUEST_DEADLINE_SECONDS: z.coerce
    .number()
    .positive()
    .max(60)
    .default(50)
    .describe(
      'seconds that a request may take from its headers to its answer; then it is 504 deadline_exceeded',
    ),
  SHUTDOWN_DELAY_SECONDS: z.coerce
    .number()
    .min(0)
    .max(300)
    .default(0)
    .describe(
      'seconds at a stop during which the service still answers and is not ready, until no requests are routed to it',
    ),
  SHUTDOWN_GRACE_SECONDS: z.coerce
    .number()
    .positive()
    .default(10)
    .describe('seconds after that for requests in flight'),
  SLUICE_STOP_WITH_PARENT: flag.default(false).describe('end when the parent process does (embedded stack)'),
});
/** The variables of a service that signs messages. The notifier sends none that are signed. */
export const signingServiceEnvironment = serviceEnvironment.extend({
  SIGNING_KEYS: signingKeysSchema.describe(
    'keys that this service signs with, a JSON Web Key Set of private Ed25519 keys, kid <signer>:<key>, newest first',
  ),
});
/** `SIGNING_KEYS` is absent in a service that signs nothing. */
export type ServiceEnvironment = z.infer<typeof serviceEnvironment> &
  Partial<Pick<z.infer<typeof signingServiceEnvironment>, 'SIGNING_KEYS'>>;

/** How many requests a caller, and how many all strangers of an address, may make. */
export function rateLimitsOf(environment: ServiceEnvironment) {
  const { RATE_LIMIT_PER_SECOND: perSecond, RATE_LIMIT_BURST: burst } = environment;
  return {
    caller: { perSecond, burst },
    address: {
      perSecond: environment.ADDRESS_RATE_LIMIT_PER_SECOND ?? perSecond,
      burst: environment.ADDRESS_RATE_LIMIT_BURST ?? burst,
    },
  };
}

/** How long PostgreSQL works for a statement of the service. */
export function statementLimitsOf(environment: ServiceEnvironment): StatementLimits {
  return {
    statementSeconds: environment.DATABASE_STATEMENT_SECONDS,
    lockSeconds: environment.DATABASE_LOCK_SECONDS,
  };
}

/** How many connections the changes of one tenant may use. */
export function tenantSharesOf(environment: ServiceEnvironment): TenantSharesOptions {
  const third = Math.max(1, Math.floor(environment.DATABASE_POOL_SIZE / 3));
  return {
    connections: environment.DATABASE_TENANT_CONNECTIONS ?? third,
    waitSeconds: environment.DATABASE_LOCK_SECONDS,
  };
}

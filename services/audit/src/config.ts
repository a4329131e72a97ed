import { httpsProxySchema, nameServersSchema, signingServiceEnvironment } from '@sluice/service';
import { secretKeysSchema } from '@sluice/system/secrets';
import { isAddressOrBlock } from '@sluice/system';
import { z } from 'zod';

const blocks = z
  .string()
  .default('')
  .transform((text) => text.split(',').map((block) => block.trim()))
  .transform((parts) => parts.filter((block) => block !== ''))
  .refine((parts) => parts.every(isAddressOrBlock), 'has to be addresses and CIDRs, separated by commas');

/** What the audit service reads from its environment, beyond what every service does. */
export const auditEnvironment = signingServiceEnvironment.extend({
  DATABASE_WRITER_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe(
      'postgresql:// address of the same database with a role that owns nothing there; the role of DATABASE_URL is used for migrations only',
    ),
  SECRETS_KEYS: secretKeysSchema.describe(
    "keys for stored secrets (the settings of tenants' sinks), audit's own, <id>:<base64 of 32 bytes>, newest first",
  ),
  SINKS_ALLOWED: blocks.describe('private addresses and CIDRs that sinks may have, comma-separated'),
  SINKS_REFUSED: blocks.describe('public addresses and CIDRs that sinks may not have, comma-separated'),
  SINKS_PLAIN_TEXT: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true')
    .describe('whether sinks may be reached without TLS'),
  NAME_SERVERS: nameServersSchema.describe(
    'name servers, as address or address:port separated by commas, that names of sinks are looked up at; default: those of the system',
  ),
  HTTPS_PROXY: httpsProxySchema.describe(
    'proxy, http://[user:password@]host:port, through which sinks are reached',
  ),
  SINK_RETRY_SECONDS: z.coerce
    .number()
    .min(0.01)
    .max(60)
    .default(2)
    .describe('seconds before the first retry of a failed sink; each later pause is twice as long'),
  AUDIT_HEADS_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'folder in which the signed heads of all logs are published and read for verification, best on append-only storage',
    ),
  AUDIT_HEADS_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'has to be the name of a bucket')
    .optional()
    .describe(
      'bucket with the API of S3 for the same, in addition or alone, best with object lock. Credentials are those of the AWS SDK',
    ),
  AUDIT_HEADS_PREFIX: z
    .string()
    .max(200)
    .regex(/^([\w.=-]+\/)*$/, 'has to be empty or end in /')
    .default('')
    .describe('prefix of its objects, such as sluice/heads/'),
  AUDIT_HEADS_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .default('us-east-1')
    .describe('region of the bucket'),
  AUDIT_HEADS_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('address of the storage of the bucket; default: that of AWS'),
  AUDIT_HEADS_LOCK_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_650)
    .optional()
    .describe(
      "days in which a head cannot be deleted, not even by the bucket's owner, where the bucket has object lock (compliance mode); default: the bucket's own rule",
    ),
  AUDIT_HEADS_MINUTES: z.coerce
    .number()
    .min(0.001)
    .max(1_440)
    .default(60)
    .describe('minutes between two publications of the heads of logs that have grown'),
});
export type AuditEnvironment = z.infer<typeof auditEnvironment>;

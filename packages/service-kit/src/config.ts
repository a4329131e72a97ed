import { z } from 'zod';

/** The environment does not say what the service needs to know. The message names every problem, and no value. */
export class ConfigurationError extends Error {}

const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** The variables that every service reads. Services extend it with their own. */
export const serviceEnvironment = z.object({
  HOST: z.string().default('127.0.0.1').describe('address to listen on'),
  PORT: z.coerce.number().int().min(0).max(65535).describe('port to listen on; 0 takes a free one'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).describe('postgresql:// address of the own database'),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).default(10).describe('connections at most'),
  NATS_URL: z.string().min(1).describe('address of NATS; several separated by commas'),
  NATS_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9]+$/, 'has to be lowercase letters and digits')
    .default('sluice')
    .describe('prefix of all streams, subjects and buckets'),
  LOG_LEVEL: z.enum(['error', 'warn', 'info', 'debug']).default('info').describe('least level logged'),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .describe('addresses or CIDRs of the proxies whose X-Forwarded-For counts, separated by commas'),
  VALIDATE_RESPONSES: flag.default(false).describe('check every answer against the OpenAPI document (tests)'),
  GRANT_LEASE_SECONDS: z.coerce
    .number()
    .positive()
    .default(2)
    .describe('how long an instance may go without NATS'),
  RATE_LIMIT_PER_SECOND: z.coerce
    .number()
    .positive()
    .default(100)
    .describe('requests per second of an API key'),
  RATE_LIMIT_BURST: z.coerce
    .number()
    .int()
    .min(1)
    .default(200)
    .describe('requests of an API key after a quiet time'),
  SHUTDOWN_GRACE_SECONDS: z.coerce
    .number()
    .positive()
    .default(10)
    .describe('time for requests in flight at the end'),
  SLUICE_STOP_WITH_PARENT: flag.default(false).describe('end when the parent process does (embedded stack)'),
});
export type ServiceEnvironment = z.infer<typeof serviceEnvironment>;

/**
 * Reads typed configuration from the environment. Empty variables count as absent.
 * @throws ConfigurationError that lists all problems at once, a line each, without any value
 */
export function readConfiguration<Shape extends z.ZodType>(
  shape: Shape,
  environment: Record<string, string | undefined> = process.env,
): z.infer<Shape> {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = shape.safeParse(present);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => {
    const name = issue.path.join('.');
    return `  ${name}: ${present[name] === undefined ? 'is missing' : sentence(issue)}`;
  });
  throw new ConfigurationError(`The configuration is not usable:\n${lines.join('\n')}`);
}

/** What is wrong with a value, told without the value: it may be a secret. */
function sentence(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return `has to be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `has to be at least ${issue.minimum}`;
    case 'too_big':
      return `has to be at most ${issue.maximum}`;
    case 'invalid_type':
      return `has to be a ${issue.expected}`;
    case 'invalid_format':
      return issue.format === 'regex' ? issue.message : `has to be a valid ${issue.format}`;
    case 'custom':
      return issue.message;
    default:
      return 'is not valid';
  }
}

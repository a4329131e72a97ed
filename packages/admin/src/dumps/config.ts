import { ConfigError, readConfig, serviceEnvironment } from '@sluice/service';
import { z } from 'zod';

const keys = (form: RegExp, what: string) =>
  z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter((key) => key !== ''))
    .refine((list) => list.length > 0 && list.every((key) => form.test(key)), { error: `has to be ${what}` });

const placeEnvironment = z.object({
  DUMPS_DIR: z.string().min(1).optional(),
  DUMPS_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'has to be the name of a bucket')
    .optional(),
  DUMPS_PREFIX: z
    .string()
    .max(200)
    .regex(/^([\w.=-]+\/)*$/, 'has to be empty or end in /')
    .default(''),
  DUMPS_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .default('us-east-1'),
  DUMPS_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
});
export type Place = z.infer<typeof placeEnvironment>;

const databasesEnvironment = z.object({
  ...serviceEnvironment.pick({ DATABASE_TLS_CA_FILE: true }).shape,
  DATABASE_URLS_DIR: z.string().min(1),
});

const createEnvironment = z.object({
  ...placeEnvironment.shape,
  ...databasesEnvironment.shape,
  DUMPS_RECIPIENTS: keys(/^age1[a-z0-9]{20,}$/, 'public keys of age (age1…)'),
  DUMPS_KEEP_DAYS: z.coerce.number().int().min(1).max(3_650).default(14),
});

const verifyEnvironment = z.object({
  ...placeEnvironment.shape,
  DUMPS_IDENTITY: z
    .string()
    // the lines that age-keygen puts before a key
    .transform((text) => text.replaceAll(/^#.*$/gm, ''))
    .pipe(keys(/^AGE-SECRET-KEY-(PQ-)?1[A-Z0-9]{20,}$/, 'secret keys of age (AGE-SECRET-KEY-1…)')),
});

const restoreEnvironment = z.object({ ...verifyEnvironment.shape, ...databasesEnvironment.shape });

/** The settings of a command. @throws ConfigError */
export const settingsOf = {
  create: (environment: NodeJS.ProcessEnv) => placed(readConfig(createEnvironment, environment)),
  list: (environment: NodeJS.ProcessEnv) => placed(readConfig(placeEnvironment, environment)),
  verify: (environment: NodeJS.ProcessEnv) => placed(readConfig(verifyEnvironment, environment)),
  restore: (environment: NodeJS.ProcessEnv) => placed(readConfig(restoreEnvironment, environment)),
};

function placed<Settings extends Place>(settings: Settings): Settings {
  if ((settings.DUMPS_DIR === undefined) === (settings.DUMPS_BUCKET === undefined))
    throw new ConfigError(
      'The configuration is not usable:\n  DUMPS_DIR or DUMPS_BUCKET: one of them is needed',
    );
  return settings;
}

import { isAbsolute } from 'node:path';
import { z } from 'zod';

const environment = z.object({
  AGENT_HOME: z.string().refine(isAbsolute, 'has to be an absolute path'),
  AGENT_SUPERVISOR_URL: z.url({ protocol: /^https?$/, error: 'has to be an http or https address' }),
  AGENT_GATEWAY_HOST: z.string().default('127.0.0.1'),
  AGENT_ADVERTISED_HOST: z.string().optional(),
  NATS_SERVER_PATH: z.string().default('nats-server'),
  LOG_LEVEL: z.enum(['error', 'warn', 'info', 'debug']).default('info'),
});

export interface Config {
  /** the agent's own folder */
  home: string;
  supervisorUrl: string;
  /** address that the gateway listens on */
  gatewayHost: string;
  /** host that clients are told to connect to */
  advertisedHost: string;
  natsServer: string;
  logLevel: string;
}

/** The environment is not usable; the message names every problem, one per line, and no value. */
export class ConfigurationError extends Error {}

/**
 * Reads the agent's configuration. Empty variables count as absent.
 * @throws ConfigurationError
 */
export function readConfig(variables: Record<string, string | undefined>): Config {
  const present = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const result = environment.safeParse(present);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => {
      const name = issue.path.join('.');
      return `  ${name} ${present[name] === undefined ? 'is missing' : sentence(issue)}`;
    });
    throw new ConfigurationError(`The environment is not usable:\n${lines.join('\n')}`);
  }
  const { data } = result;
  return {
    home: data.AGENT_HOME,
    supervisorUrl: data.AGENT_SUPERVISOR_URL,
    gatewayHost: data.AGENT_GATEWAY_HOST,
    advertisedHost: data.AGENT_ADVERTISED_HOST ?? data.AGENT_GATEWAY_HOST,
    natsServer: data.NATS_SERVER_PATH,
    logLevel: data.LOG_LEVEL,
  };
}

function sentence(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_value'
    ? `has to be one of ${issue.values.map(String).join(', ')}`
    : issue.message;
}

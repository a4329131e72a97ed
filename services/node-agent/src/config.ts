import { isAbsolute } from 'node:path';
import { portRangeSchema } from '@sluice/system';
import { tracingSettings } from '@sluice/system/tracing';
import { z } from 'zod';

/** What is said without TLS, the login of the broker among it, stays on this machine. */
function isSecureOrLocal(address: string): boolean {
  const { protocol, hostname = '' } = URL.parse(address) ?? {};
  return (
    protocol !== 'http:' ||
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}

const blocks = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((block) => block.trim())
      .filter((block) => block !== ''),
  );

/** What every agent reads from its environment; a runtime reads what it needs besides. */
export const agentEnvironment = z.object({
  AGENT_HOME: z
    .string()
    .refine(isAbsolute, 'has to be an absolute path')
    .describe("the agent's own folder, absolute; made when it is missing"),
  AGENT_SUPERVISOR_URL: z
    .url({ protocol: /^https?$/ })
    .refine(
      isSecureOrLocal,
      'has to be an https address, or an http address of this machine (127.0.0.1, ::1, localhost)',
    )
    .describe('https address of the supervisor; http only on the same machine'),
  AGENT_GATEWAY_HOST: z.string().default('127.0.0.1').describe('address that the gateway listens on'),
  AGENT_GATEWAY_PORTS: portRangeSchema
    .optional()
    .describe('ports that the gateway may listen on, first-last; any without it'),
  AGENT_GATEWAY: z
    .enum(['builtin', 'haproxy', 'auto'])
    .default('builtin')
    .describe(
      'what the gateway is made of: `builtin`; `haproxy`; `auto` for HAProxy where the node has one, 2.6 or newer with Lua',
    ),
  AGENT_HAPROXY_PATH: z
    .string()
    .default('haproxy')
    .describe('the program of HAProxy, by its path or as PATH finds it'),
  AGENT_BUILD: z
    .string()
    .regex(/^[0-9a-z]{1,40}$/, 'has to be lowercase letters and digits')
    .optional()
    .describe('what the agent was built from, as whoever starts it tells: one of another build is replaced'),
  AGENT_TAKES_OVER: z
    .stringbool({ truthy: ['true'], falsy: ['false'] })
    .default(false)
    .describe('whether to take the place of an agent that runs in the folder, which has to be there'),
  AGENT_CONNECTORS_ALLOWED: blocks.describe(
    'addresses and blocks that connectors may connect to although they are of the node or its link, comma-separated',
  ),
  AGENT_CONNECTORS_REFUSED: blocks.describe(
    'addresses and blocks that connectors may not connect to, such as those of the control plane, comma-separated',
  ),
  LOG_LEVEL: z.enum(['error', 'warn', 'info', 'debug']).default('info').describe('least level logged'),
  ...tracingSettings,
});
export type AgentEnvironment = z.infer<typeof agentEnvironment>;

import { isAbsolute } from 'node:path';
import { z } from 'zod';

/** What every agent reads from its environment; a runtime reads what it needs besides. */
export const agentEnvironment = z.object({
  AGENT_HOME: z
    .string()
    .refine(isAbsolute, 'has to be an absolute path')
    .describe("the agent's own folder, absolute; made when it is missing"),
  AGENT_SUPERVISOR_URL: z.url({ protocol: /^https?$/ }).describe('http or https address of the supervisor'),
  AGENT_GATEWAY_HOST: z.string().default('127.0.0.1').describe('address that the gateway listens on'),
  LOG_LEVEL: z.enum(['error', 'warn', 'info', 'debug']).default('info').describe('least level logged'),
});
export type AgentEnvironment = z.infer<typeof agentEnvironment>;

import { RateLimits, sourceOf, type Authorizer, type RateLimit, type RequestLimiter } from '@sluice/http';
import { Problem } from '@sluice/service';
import type { Agent } from './agent-authorizer.ts';

export interface AgentLimits {
  /** of one node */
  caller: RateLimit;
  /** of all from one place who are refused, or who enrol */
  address: RateLimit;
}

/**
 * Limits agents, for `createApi`: each node by itself, and by address who is refused. Recognising an agent costs a statement
 * and a signature, so who has been refused too often is not even looked at.
 */
export function limitedAgents(authorize: Authorizer<Agent>, { caller, address }: AgentLimits) {
  const nodes = new RateLimits(caller);
  const strangers = new RateLimits(address);
  const limit: RequestLimiter = (request, _response, declaration) => {
    if (declaration?.kind === 'agent') strangers.check(sourceOf(request));
    else strangers.take(sourceOf(request));
  };
  const limited: Authorizer<Agent> = async (request, declaration) => {
    try {
      const agent = await authorize(request, declaration);
      if (declaration.kind === 'agent') nodes.take(`node ${agent.nodeId}`);
      return agent;
    } catch (error) {
      if (error instanceof Problem && error.status === 401) strangers.note(sourceOf(request));
      throw error;
    }
  };
  return { limit, authorize: limited };
}

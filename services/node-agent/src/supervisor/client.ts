import { randomUUID } from 'node:crypto';
import type { AgentIdentity, DesiredState, Heartbeat } from '@sluice/contracts';
import { SignJWT } from 'jose';
import { z } from 'zod';
import { call } from '../http.ts';
import { desiredStateSchema } from './desired-state.ts';
import { agentIdentitySchema, type Identity } from './identity.ts';

const answerLimit = 10_000;
/** seconds that the supervisor may hold a poll */
const pollWait = 30;

/** The supervisor answered, but not with what was asked for. */
export class SupervisorRefused extends Error {
  readonly status: number;

  constructor(operation: string, status: number, body: unknown) {
    const code = z.object({ code: z.string() }).safeParse(body);
    super(`the supervisor answered ${operation} with ${status}${code.success ? ` ${code.data.code}` : ''}`);
    this.status = status;
  }
}

/** The agents' API of the supervisor. Every call rejects when it is not answered with success. */
export interface Supervisor {
  enrol(): Promise<AgentIdentity>;
  /** Waits up to 30 s for a state with another revision; null when there was none. */
  desiredState(revision: number): Promise<DesiredState | null>;
  heartbeat(heartbeat: Heartbeat): Promise<void>;
}

/** The calls throw SupervisorRefused for every status but the expected one. */
export function createSupervisor(baseUrl: string, identity: Identity): Supervisor {
  const address = (path: string) => new URL(`${baseUrl.replace(/\/+$/, '')}/agent/v1/${path}`);

  async function authorization(): Promise<string> {
    if (identity.enrolledAs === null) throw new Error('the agent has not enrolled');
    const token = new SignJWT()
      .setProtectedHeader({ alg: 'EdDSA' })
      .setSubject(String(identity.enrolledAs.node_id))
      .setAudience('sluice-supervisor')
      .setIssuedAt()
      .setExpirationTime('60 s')
      .setJti(randomUUID());
    return `Bearer ${await token.sign(identity.privateKey)}`;
  }

  return {
    enrol: async () => {
      const body = { token: await identity.token(), public_key: identity.publicKey };
      const answer = await call('POST', address('enrol'), { body, signal: AbortSignal.timeout(answerLimit) });
      if (answer.status !== 200) throw new SupervisorRefused('the enrolment', answer.status, answer.body);
      identity.enrolledAs = agentIdentitySchema.parse(answer.body);
      await identity.enrolled(identity.enrolledAs);
      return identity.enrolledAs;
    },
    desiredState: async (revision) => {
      const url = address(`desired?revision=${revision}&wait=${pollWait}`);
      const headers = { authorization: await authorization() };
      const answer = await call('GET', url, {
        headers,
        signal: AbortSignal.timeout(pollWait * 1_000 + answerLimit),
      });
      if (answer.status === 204) return null;
      if (answer.status !== 200) throw new SupervisorRefused('the poll', answer.status, answer.body);
      return desiredStateSchema.parse(answer.body);
    },
    heartbeat: async (heartbeat) => {
      const headers = { authorization: await authorization() };
      const limited = AbortSignal.timeout(answerLimit);
      const answer = await call('POST', address('heartbeats'), { headers, body: heartbeat, signal: limited });
      if (answer.status !== 204) throw new SupervisorRefused('the heartbeat', answer.status, answer.body);
    },
  };
}

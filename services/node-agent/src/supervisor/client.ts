import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type {
  AgentIdentity,
  DesiredState,
  Heartbeat,
  Machine,
  SnapshotArchivePiece,
  SnapshotFindings,
  SnapshotId,
  TaskId,
  TaskResult,
  TelemetryBatch,
} from '@sluice/contracts';
import { activeTraceparent } from '@sluice/system/tracing';
import { SignJWT } from 'jose';
import { z } from 'zod';
import { call, type Answer } from '../http.ts';
import type { SupervisorClock } from './clock.ts';
import { desiredStateSchema } from './desired-state.ts';
import { agentIdentitySchema, type Identity } from './identity.ts';

const answerLimit = 10_000;
/** seconds that the supervisor may hold a poll */
const pollWait = 30;
/** for how long a request's token is valid: as long as the supervisor takes it */
const tokenSeconds = 60;
/** milliseconds for which requests are sent with the same token: the supervisor verifies each token once */
const tokenReuse = 45_000;

/** The supervisor answered, but not with what was asked for. */
export class SupervisorRefused extends Error {
  readonly status: number;
  /** the seconds that it wants to be left in peace */
  readonly retryAfter: number;

  constructor(operation: string, status: number, body: unknown, headers: Answer['headers'] = {}) {
    const code = z.object({ code: z.string() }).safeParse(body);
    super(`the supervisor answered ${operation} with ${status}${code.success ? ` ${code.data.code}` : ''}`);
    this.status = status;
    this.retryAfter = Math.min(600, Number(headers['retry-after']) || 0);
  }
}

/** The agents' API of the supervisor. Every call rejects when it is not answered with success. */
export interface Supervisor {
  /** @param machine what the machine is, where it is a customer's */
  enrol(machine?: Machine): Promise<AgentIdentity>;
  /** Tells what the customer's machine is; resolves as well where the supervisor has no use for it. */
  machine(machine: Machine): Promise<void>;
  /** Tells that nothing of the node is left; resolves as well when the supervisor does not know it any more. */
  departure(): Promise<void>;
  /** Waits up to 30 s for a state with another revision; null when there was none. */
  desiredState(revision: number): Promise<DesiredState | null>;
  heartbeat(heartbeat: Heartbeat): Promise<void>;
  telemetry(batch: TelemetryBatch): Promise<void>;
  /** Tells what came of a task; resolves as well when the supervisor does not have it any more. */
  taskResult(id: TaskId, result: TaskResult): Promise<void>;
  /** Tells what an examination has found; resolves as well when the supervisor does not have it any more. */
  snapshotFindings(id: SnapshotId, findings: SnapshotFindings): Promise<void>;
  /** Sends a piece of an archive. @returns false when the supervisor waits for it no more, or will not take it */
  snapshotArchive(id: SnapshotId, piece: SnapshotArchivePiece): Promise<boolean>;
}

interface Request {
  path: string;
  /** what is posted; without it the request is a GET */
  body?: unknown;
  /** how long the answer may take, in milliseconds */
  limit?: number;
}

/** The calls throw SupervisorRefused for every status but the expected one. */
export function createSupervisor(baseUrl: string, identity: Identity, clock: SupervisorClock): Supervisor {
  const address = (path: string) => new URL(`${baseUrl.replace(/\/+$/, '')}/agent/v1/${path}`);

  let latest = { token: '', signedAt: -Infinity };

  async function authorization(): Promise<string> {
    const now = clock.now();
    const age = now - latest.signedAt;
    // a clock that was put right may be behind the former one
    if (age < 0 || age >= tokenReuse) latest = { token: await newToken(now), signedAt: now };
    return `Bearer ${latest.token}`;
  }

  async function newToken(now: number): Promise<string> {
    if (identity.enrolledAs === null) throw new Error('the agent has not enrolled');
    const seconds = Math.floor(now / 1_000);
    const token = new SignJWT()
      .setProtectedHeader({ alg: 'EdDSA' })
      .setSubject(String(identity.enrolledAs.node_id))
      .setAudience('sluice-supervisor')
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + tokenSeconds)
      .setJti(randomUUID());
    return await token.sign(identity.privateKey);
  }

  async function send(
    { path, body, limit = answerLimit }: Request,
    headers: OutgoingHttpHeaders,
  ): Promise<Answer> {
    const begun = performance.now();
    const method = body === undefined ? 'GET' : 'POST';
    const traceparent = activeTraceparent();
    const answer = await call(method, address(path), {
      headers: { ...headers, ...(traceparent !== undefined && { traceparent }) },
      body,
      signal: AbortSignal.timeout(limit),
    });
    clock.learn(answer.headers['svc-time'], performance.now() - begun);
    return answer;
  }

  /** Sends a signed request; one that is refused and was signed by a clock that was wrong is signed once more. */
  async function sendSigned(request: Request): Promise<Answer> {
    const { offset } = clock;
    const answer = await send(request, { authorization: await authorization() });
    if (answer.status !== 401 || clock.offset === offset) return answer;
    return await send(request, { authorization: await authorization() });
  }

  return {
    enrol: async (machine) => {
      const token = await identity.token();
      const body = { token, public_key: identity.publicKey, ...(machine && { machine }) };
      const answer = await send({ path: 'enrol', body }, {});
      if (answer.status !== 200) throw new SupervisorRefused('the enrolment', answer.status, answer.body);
      identity.enrolledAs = agentIdentitySchema.parse(answer.body);
      await identity.enrolled(identity.enrolledAs, token);
      return identity.enrolledAs;
    },
    desiredState: async (revision) => {
      const path = `desired?revision=${revision}&wait=${pollWait}`;
      const answer = await sendSigned({ path, limit: pollWait * 1_000 + answerLimit });
      if (answer.status === 204) return null;
      if (answer.status !== 200) throw new SupervisorRefused('the poll', answer.status, answer.body);
      return desiredStateSchema.parse(answer.body);
    },
    telemetry: async (batch) => {
      const answer = await sendSigned({ path: 'telemetry', body: batch });
      if (answer.status !== 204)
        throw new SupervisorRefused('telemetry', answer.status, answer.body, answer.headers);
    },
    heartbeat: async (heartbeat) => {
      const answer = await sendSigned({ path: 'heartbeats', body: heartbeat });
      if (answer.status !== 204) throw new SupervisorRefused('the heartbeat', answer.status, answer.body);
    },
    snapshotFindings: async (id, findings) => {
      const answer = await sendSigned({ path: `snapshots/${id}/findings`, body: findings });
      if (answer.status === 204 || answer.status === 404) return;
      throw new SupervisorRefused("a snapshot's findings", answer.status, answer.body);
    },
    snapshotArchive: async (id, piece) => {
      const answer = await sendSigned({ path: `snapshots/${id}/archive`, body: piece });
      if (answer.status === 204) return true;
      if ([400, 404, 409, 413].includes(answer.status)) return false;
      throw new SupervisorRefused('a piece of an archive', answer.status, answer.body);
    },
    machine: async (machine) => {
      const answer = await sendSigned({ path: 'machine', body: machine });
      if (answer.status === 204 || answer.status === 404) return;
      throw new SupervisorRefused('what the machine is', answer.status, answer.body);
    },
    departure: async () => {
      const answer = await sendSigned({ path: 'departure', body: {} });
      if ([204, 401, 409].includes(answer.status)) return;
      throw new SupervisorRefused('the departure', answer.status, answer.body);
    },
    taskResult: async (id, result) => {
      const answer = await sendSigned({ path: `tasks/${id}/result`, body: result });
      if (answer.status === 204 || answer.status === 404) return;
      throw new SupervisorRefused("a task's result", answer.status, answer.body);
    },
  };
}

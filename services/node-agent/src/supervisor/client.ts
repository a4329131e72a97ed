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
  StreamReport,
  TaskId,
  TaskResult,
  TelemetryBatch,
} from '@sluice/contracts';
import { activeTraceparent } from '@sluice/system/tracing';
import { SignJWT } from 'jose/jwt/sign';
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

export class SupervisorRefused extends Error {
  readonly status: number;
  /** the least pause that it wants, in seconds */
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
  /** @param machine where the machine is a customer's */
  enrol(machine?: Machine): Promise<AgentIdentity>;
  /** Resolves as well where the supervisor has no use for it. */
  machine(machine: Machine): Promise<void>;
  /** Reports that nothing of the node is left; resolves as well when the supervisor does not know it any more. */
  departure(): Promise<void>;
  /** Waits up to 30 s for a state with another revision; null when there was none. */
  desiredState(revision: number): Promise<DesiredState | null>;
  heartbeat(heartbeat: Heartbeat): Promise<void>;
  telemetry(batch: TelemetryBatch): Promise<void>;
  streams(report: StreamReport): Promise<void>;
  /** Resolves as well when the supervisor does not have the task any more. */
  taskResult(id: TaskId, result: TaskResult): Promise<void>;
  /** Resolves as well when the supervisor does not have the snapshot any more. */
  snapshotFindings(id: SnapshotId, findings: SnapshotFindings): Promise<void>;
  /** @returns false when the supervisor does not want the piece any more */
  snapshotArchive(id: SnapshotId, piece: SnapshotArchivePiece): Promise<boolean>;
}

interface Request {
  path: string;
  body?: unknown;
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

  /** A request that is refused because it was signed by a wrong clock is signed again. */
  async function sendSigned(request: Request): Promise<Answer> {
    const { offset } = clock;
    const answer = await send(request, { authorization: await authorization() });
    if (answer.status !== 401 || clock.offset === offset) return answer;
    return await send(request, { authorization: await authorization() });
  }

  /** Posts a body. @returns the status, one of `expected` @throws SupervisorRefused for any other */
  async function post(what: string, path: string, body: unknown, expected: number[]): Promise<number> {
    const { status, headers, body: answer } = await sendSigned({ path, body });
    if (!expected.includes(status)) throw new SupervisorRefused(what, status, answer, headers);
    return status;
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
    telemetry: async (batch) => void (await post('telemetry', 'telemetry', batch, [204])),
    streams: async (report) => void (await post('a report of streams', 'streams', report, [204])),
    heartbeat: async (heartbeat) => void (await post('the heartbeat', 'heartbeats', heartbeat, [204])),
    snapshotFindings: async (id, findings) =>
      void (await post("a snapshot's findings", `snapshots/${id}/findings`, findings, [204, 404])),
    snapshotArchive: async (id, piece) => {
      const expected = [204, 400, 404, 409, 413];
      return (await post('a piece of an archive', `snapshots/${id}/archive`, piece, expected)) === 204;
    },
    machine: async (machine) =>
      void (await post('the description of the machine', 'machine', machine, [204, 404])),
    departure: async () => void (await post('the departure', 'departure', {}, [204, 401, 409])),
    taskResult: async (id, result) =>
      void (await post("a task's result", `tasks/${id}/result`, result, [204, 404])),
  };
}

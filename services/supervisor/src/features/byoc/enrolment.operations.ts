import type { AgentOperations } from '@sluice/contracts';
import { ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { Agent } from '../agents/agent-authorizer.ts';
import type { EnrolmentService } from './enrolment.service.ts';

export function enrolmentOperations(enrolments: EnrolmentService) {
  return {
    async createNodeEnrolment({ caller, params }) {
      const headers = { 'cache-control': 'no-store' };
      return { ...ok(await enrolments.issue(caller, params)), headers };
    },
  } satisfies Partial<Handlers<operations>>;
}

/** What machines fetch that are to be nodes. */
export function nodeProgramsOperations(enrolments: EnrolmentService) {
  return {
    async getEnrolmentScript() {
      return { ...ok(undefined), raw: { type: 'text/x-shellscript', content: await enrolments.script() } };
    },
    async getNodePrograms({ params }) {
      const { size, content } = await enrolments.archive(params.digest);
      const headers = { 'content-length': String(size) };
      return { ...ok(undefined), raw: { type: 'application/gzip', headers, content } };
    },
  } satisfies Partial<Handlers<AgentOperations, Agent>>;
}

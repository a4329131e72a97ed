import {
  approveJoinRequest,
  listJoinRequests,
  paginate,
  rejectJoinRequest,
  type JoinRequest,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { notFound } from '@sluice/terminal/errors';
import { inTenant, verbsOf, type TenantCall } from '../entries/entries.ts';

async function* read(call: TenantCall, { pending = false }: { pending?: boolean }) {
  for await (const request of paginate(listJoinRequests, call))
    if (!pending || request.status === 'pending') yield request;
}

export const joinRequests = verbsOf<TenantCall, JoinRequest>({
  noun: 'join-requests',
  one: 'join request',
  at: inTenant,
  read,
  view: {
    name: ({ id }) => String(id),
    empty: 'There is no request.',
    columns: [
      { header: 'ID', value: ({ id }) => id },
      { header: 'EMAIL', value: ({ email }) => email },
      { header: 'NAME', value: ({ user }) => user.name },
      { header: 'STATUS', value: ({ status }) => status },
      { header: 'CREATED', value: ({ created_at }) => created_at },
      { header: 'DECIDED', value: ({ decided_at }) => decided_at, wide: true },
    ],
  },
  id: ({ id }) => id,
  name: ({ email }) => email,
});

export const approve = decide(approveJoinRequest, 'is a member, with the role viewer');
export const reject = decide(rejectJoinRequest, 'is refused');

function decide(send: typeof approveJoinRequest<true> | typeof rejectJoinRequest<true>, done: string) {
  return async (cli: Cli, text: string): Promise<void> => {
    const call = await inTenant(cli);
    // an address can have asked before
    const isMeant = ({ id, email, status }: JoinRequest) =>
      String(id) === text || (email === text && status === 'pending');
    for await (const request of paginate(listJoinRequests, call)) {
      if (!isMeant(request)) continue;
      await send({ ...call, path: { ...call.path, join_request_id: request.id } });
      return cli.say(`${request.email} ${done}.`);
    }
    throw notFound(
      `There is no join request ${JSON.stringify(text)} to decide.`,
      'sluice join-requests list --pending',
    );
  };
}

import { once } from 'node:events';
import { connect } from 'node:net';
import type { Protocol } from '@sluice/contracts';
import { isErrorCode } from '@sluice/system';
import { checksOf, critical, detail, ok, warning, type ExaminedNode } from '../check.ts';
import { counted } from '../figures.ts';

const listening = ({ gateways }: ExaminedNode) => gateways.filter(({ draining }) => !draining);

/** True if a program listens there: a client that is not admitted is reset only after the connection. */
async function opens(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  const socket = connect({ host, port });
  socket.on('error', () => undefined);
  try {
    await once(socket, 'connect', { signal });
    return true;
  } catch (error) {
    return isErrorCode(error, 'ECONNRESET');
  } finally {
    socket.destroy();
  }
}

export const gatewayChecks = checksOf('Entrance', {
  gateway: {
    title: 'Gateway',
    meaning: 'All clients come in through the gateway, which lets in whom the access rules let in.',
    run(node) {
      const [current, ...others] = listening(node);
      if (current === undefined)
        return critical(
          'There is no gateway: no client is let in.',
          'The agent starts one at once where it can; its log says what keeps it.',
        );
      const details = [detail('process', current.pid), detail('connections', current.connections)];
      return others.length > 0
        ? warning('Several gateways listen.', 'Look again in a minute: one of them is about to go.', details)
        : ok(`The gateway has ${counted(current.connections, 'connection')}.`, details);
    },
  },
  ports: {
    title: 'Ports',
    meaning: 'Where clients connect. A port that does not answer keeps all of that protocol out.',
    async run(node, signal) {
      const wanted = Object.entries(node.ports) as [Protocol, number][];
      // where it listens on every address, it listens on this one
      const address = ['0.0.0.0', '::'].includes(node.gatewayHost) ? '127.0.0.1' : node.gatewayHost;
      const answers = await Promise.all(
        wanted.map(async ([protocol, port]) => ({
          protocol,
          port,
          open: await opens(address, port, signal),
        })),
      );
      const details = answers.map(({ protocol, port, open }) =>
        detail(protocol, `${port}${open ? '' : ', no answer'}`),
      );
      const closed = answers.filter(({ open }) => !open);
      if (wanted.length === 0)
        return warning('The gateway listens nowhere.', 'Look again once the broker runs.', details);
      if (closed.length > 0)
        return critical(
          `No answer at ${closed.map(({ protocol, port }) => `${protocol} (${port})`).join(', ')}.`,
          'See the log of the gateway: another program may have the port.',
          details,
        );
      return ok(`${counted(wanted.length, 'port')} answer as they should.`, details);
    },
  },
  access_rules: {
    title: 'Access rules',
    meaning: 'Without a rule that holds the gateway lets no client in.',
    run({ wanted: { access_rules }, clockOffset }) {
      const now = Date.now() + clockOffset;
      const held = access_rules.filter(({ valid_to }) => valid_to === null || Date.parse(valid_to) > now);
      const details = [detail('in all', access_rules.length), detail('that hold', held.length)];
      return held.length === 0
        ? warning(
            'No access rule holds: no client can connect.',
            'Add an access rule for the addresses of the clients.',
            details,
          )
        : ok(`${counted(held.length, 'rule')} in force.`, details);
    },
  },
  gateways_replaced: {
    title: 'Gateways that were replaced',
    meaning: 'A gateway that was replaced goes with its last client: many of them hold memory.',
    run({ gateways }) {
      const draining = gateways.filter((one) => one.draining);
      const details = draining
        .slice(0, 10)
        .map(({ pid, connections }) => detail(`process ${pid}`, `${connections} connections`));
      const finding =
        draining.length === 0
          ? 'There is none.'
          : `${counted(draining.length, 'gateway')} still with clients.`;
      return draining.length > 3
        ? warning(finding, 'Have clients of long ago connect anew.', details)
        : ok(finding, details);
    },
  },
});

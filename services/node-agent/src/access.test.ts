import { client, removeNodes, runningNode } from '#test/node.ts';
import { idOf, type AccessRuleId } from '@sluice/contracts';
import { wsconnect } from '@nats-io/nats-core';
import { credentials, everybody } from '#test/supervisor.ts';

afterEach(removeNodes);

test('nobody reaches the broker before a rule, and only by the protocols that the rule names', async () => {
  const { supervisor, tcp, websocket } = await runningNode();
  const { username: user, password: pass } = credentials;
  const overWebSocket = () =>
    wsconnect({ servers: `ws://${websocket}`, user, pass, reconnect: false, timeout: 5_000 });
  await expect(client(tcp)).rejects.toThrow();
  await supervisor.desire({
    access_rules: [
      { id: idOf<AccessRuleId>(1), protocols: ['broker_tcp'], cidr_blocks: ['127.0.0.0/8'], valid_to: null },
    ],
  });
  await (await client(tcp)).close();
  await expect(overWebSocket()).rejects.toThrow();
  await supervisor.desire({
    access_rules: [
      {
        id: idOf<AccessRuleId>(2),
        protocols: ['broker_websocket'],
        cidr_blocks: ['127.0.0.0/8'],
        valid_to: null,
      },
    ],
  });
  await expect(client(tcp)).rejects.toThrow();
  await (await overWebSocket()).close();
});

test('when the agent says that it has applied a state without the rule, the open connection is cut', async () => {
  const { supervisor, tcp } = await runningNode();
  await supervisor.desire({ access_rules: everybody });
  const connection = await client(tcp);
  await supervisor.desire({ access_rules: [] });
  await connection.closed();
  await expect(client(tcp)).rejects.toThrow();
});

test('a node that may be reached at a private address alone listens there, and says so', async () => {
  const environment = { AGENT_PRIVATE_ADDRESS: 'true', AGENT_ADDRESS: 'auto', AGENT_GATEWAY_HOST: '0.0.0.0' };
  const { supervisor, tcp } = await runningNode({ environment });
  expect(supervisor.machine).toMatchObject({ address: '127.0.0.1', listens_on: '127.0.0.1' });
  await supervisor.desire({ access_rules: everybody });
  await (await client(tcp)).close();
  // another of this machine's, at which a gateway on all of them would answer
  await expect(client(tcp.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow('connection refused');
});

test('without built files of the page there is no port for HTTP, and none for UDP', async () => {
  // as after an upgrade that has left its folder out
  const { supervisor } = await runningNode({ environment: { STREAM_PAGE_FILES: '/nowhere' } });
  const { ports } = await supervisor.hears(() => true);
  expect(ports).toMatchObject({ broker_http: null, broker_udp: null });
});

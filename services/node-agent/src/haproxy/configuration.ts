import type { GatewayRule, Protocol } from '@sluice/contracts';
import type { BrokerAddress, Ports } from '../gateway/protocol.ts';
import { accessMap } from './access-map.ts';

/** What an HAProxy is started for: a change of it needs another one. */
export interface Listening {
  /** the program */
  program: string;
  host: string;
  ports: Ports;
}

/** What can be changed while it runs. */
export interface Steering {
  rules: readonly GatewayRule[];
  clockOffset: number;
  broker: BrokerAddress | null;
}

/** The files of one HAProxy, by names in its folder. */
export function instanceFiles(name: string) {
  return {
    configuration: `${name}.cfg`,
    socket: `${name}.api`,
    script: `${name}.lua`,
    brokers: `${name}.brokers.map`,
    rules: (protocol: Protocol) => `${name}.${protocol}.map`,
  };
}
export type InstanceFiles = ReturnType<typeof instanceFiles>;

/**
 * Finds the broker's port for a connection, unless the process that has to be behind it has ended: its port may be another's by now,
 * who must not get what is meant for it. The same look as that of the built-in gateway.
 */
export const brokerScript = `core.register_action('find_broker', { 'tcp-req' }, function(txn)
  local port, pid, start = (txn:get_var('sess.broker') or ''):match('^(%d+) (%d+) (%d+)$')
  if not port then return end
  local file = io.open('/proc/' .. pid .. '/stat')
  if not file then return end
  local line = file:read('a')
  file:close()
  local fields = {}
  for field in (line or ''):gsub('^.*%) ', ''):gmatch('%S+') do fields[#fields + 1] = field end
  local ended = fields[1] == 'Z' or fields[1] == 'X'
  if fields[20] == start and not ended then txn:set_var('sess.port', tonumber(port)) end
end, 0)
`;

/** What stands in the maps: the rules of each protocol, and where and which the broker is. */
export function mapEntries(
  files: InstanceFiles,
  protocols: readonly Protocol[],
  { rules, clockOffset, broker }: Steering,
): [string, string[]][] {
  const brokers = Object.entries(broker?.ports ?? {}).map(
    ([protocol, port]) => `${protocol} ${port} ${broker?.pid} ${broker?.process_start}`,
  );
  return [
    [files.brokers, brokers],
    ...protocols.map((protocol): [string, string[]] => [
      files.rules(protocol),
      accessMap(rules, protocol, clockOffset),
    ]),
  ];
}

/** The text of the configuration. Rules and broker are not in it, they stand in maps. */
export function renderConfiguration(files: InstanceFiles, { host, ports }: Listening): string {
  const frontends = Object.entries(ports).map(
    ([protocol, port]) => `
frontend ${protocol}
  bind ${host.includes(':') ? `[${host}]` : host}:${port}
  tcp-request content set-var(sess.now) date(0,ms)
  tcp-request content set-var(sess.left) src,map_ip_int(${files.rules(protocol as Protocol)},0),sub(sess.now)
  tcp-request content reject unless { var(sess.left) -m int gt 0 }
  tcp-request content set-var(sess.broker) str(${protocol}),map(${files.brokers})
  tcp-request content lua.find_broker
  tcp-request content reject unless { var(sess.port) -m found }
  tcp-request content set-dst ipv4(127.0.0.1)
  tcp-request content set-dst-port var(sess.port)
  default_backend broker
`,
  );
  return `global
  stats socket unix@${files.socket} mode 600 level admin expose-fd listeners
  lua-load ${files.script}
  fd-hard-limit 200000
  log stderr format raw local0 notice

defaults
  mode tcp
  log global
  option clitcpka
  option splice-auto
  clitcpka-idle 60s
  timeout connect 5s
  timeout client 24d
  timeout server 24d
  timeout client-fin 30s
  timeout server-fin 30s
${frontends.join('')}
backend broker
  server broker 0.0.0.0:0
`;
}

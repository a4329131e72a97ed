import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import { networkInterfaces, uptime } from 'node:os';
import { byShare, checksOf, critical, detail, ok, unknown, warning } from '../check.ts';
import { counted, duration } from '../figures.ts';
import { systemFile } from '../system-files.ts';

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Counters of the kernel: a line of names, and below it one of numbers. */
function counters(text: string, prefix: string): Map<string, number> {
  const [names = [], values = []] = text
    .split('\n')
    .filter((line) => line.startsWith(`${prefix}:`))
    .map((line) => line.split(/\s+/).slice(1));
  return new Map(names.map((name, index) => [name, Number(values[index])]));
}

export const networkChecks = checksOf('Network', {
  dns: {
    title: 'Names',
    meaning: 'Agent and connectors find others by name: without an answer they reach no other.',
    action: 'See to the resolvers in /etc/resolv.conf: one of them may not answer.',
    limits: { much: 1, most: Infinity },
    async run({ supervisorUrl }) {
      const host = new URL(supervisorUrl).hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) !== 0) return ok('The region is known by its address; no name is needed.');
      const begun = performance.now();
      try {
        const addresses = await lookup(host, { all: true });
        const seconds = (performance.now() - begun) / 1_000;
        const finding = `The name of the region is answered in ${duration(seconds)}.`;
        const details = [
          detail(
            host,
            addresses
              .map(({ address }) => address)
              .join(', ')
              .slice(0, 190),
          ),
        ];
        return byShare(seconds, finding, details);
      } catch {
        return critical(
          `The name ${host} is not answered.`,
          'See to the resolvers in /etc/resolv.conf, and whether the node reaches them.',
        );
      }
    },
  },
  region: {
    title: 'Way to the region',
    meaning: 'The agent gets what the node should be like from its region, and tells it how it is.',
    action: 'See whether the path to the region is crowded.',
    limits: { much: 1, most: Infinity },
    async run({ supervisorUrl }, signal) {
      const { hostname, port, protocol } = new URL(supervisorUrl);
      const begun = performance.now();
      const socket = connect({
        host: hostname.replace(/^\[|\]$/g, ''),
        port: Number(port || (protocol === 'https:' ? 443 : 80)),
      });
      try {
        await once(socket, 'connect', { signal });
        const seconds = (performance.now() - begun) / 1_000;
        const finding = `A connection to the region is made in ${duration(seconds)}.`;
        return byShare(seconds, finding);
      } finally {
        socket.on('error', () => undefined).destroy();
      }
    },
  },
  interfaces: {
    title: 'Interfaces',
    meaning: 'Without an interface beside the loopback one the node cannot be reached from elsewhere.',
    run() {
      const outward = Object.entries(networkInterfaces()).filter(([, addresses]) =>
        addresses?.some(({ internal }) => !internal),
      );
      const details = outward.slice(0, 12).map(([name, addresses = []]) =>
        detail(
          name,
          addresses
            .map(({ cidr }) => cidr)
            .join(', ')
            .slice(0, 190),
        ),
      );
      if (outward.length === 0)
        return warning('There is no interface but the loopback one.', 'Attach the machine to its network.');
      return ok(`${counted(outward.length, 'interface')} with addresses.`, details);
    },
  },
  interface_errors: {
    title: 'Errors of interfaces',
    meaning: 'Packets that are broken or dropped are sent again: everything is slower than it need be.',
    action: 'See to the interface that they are of: its cable, its driver, the host of the machine.',
    limits: { much: 0.001, most: 0.05 },
    async run() {
      const rows = (await systemFile('/proc/net/dev')).split('\n').flatMap((line) => {
        const [, name, numbers = ''] = /^\s*([^:\s]+):(.*)$/.exec(line) ?? [];
        const [, received = 0, failed = 0, dropped = 0, , , , , , sent = 0, failedOut = 0, droppedOut = 0] =
          numbers.trim().split(/\s+/).map(Number);
        const bad = failed + dropped + failedOut + droppedOut;
        return name === undefined || name === 'lo' ? [] : [{ name, packets: received + sent, bad }];
      });
      const [packets, bad] = [sum(rows.map((row) => row.packets)), sum(rows.map((row) => row.bad))];
      const details = rows
        .filter((row) => row.bad > 0)
        .slice(0, 10)
        .map((row) => detail(row.name, `${row.bad} of ${row.packets}`));
      const finding = `${bad} of ${packets} packets had an error or were dropped since the start of the machine.`;
      const share = bad / Math.max(1, packets);
      return byShare(share, finding, details);
    },
  },
  listen_overflows: {
    title: 'Connections that were not taken',
    meaning:
      'Where a program does not take connections as fast as they come the kernel drops some: clients wait or fail.',
    async run() {
      const values = counters(await systemFile('/proc/net/netstat'), 'TcpExt');
      const dropped = values.get('ListenDrops');
      if (dropped === undefined) return unknown('The kernel does not tell it.');
      const finding = `${counted(dropped, 'connection')} dropped since the start of the machine.`;
      const anHour = dropped / Math.max(1, uptime() / 3_600);
      return anHour > 1_000
        ? warning(finding, 'See whether many clients connect at once, and raise net.core.somaxconn.')
        : ok(finding);
    },
  },
  retransmissions: {
    title: 'Segments sent again',
    meaning: 'TCP sends again what was lost on the way: a bad or crowded network.',
    action: 'See whether the path to the clients loses packets.',
    limits: { much: 0.03, most: Infinity },
    async run() {
      const values = counters(await systemFile('/proc/net/snmp'), 'Tcp');
      const [sent = 0, again = 0] = [values.get('OutSegs'), values.get('RetransSegs')];
      const share = again / Math.max(1, sent);
      const finding = `${(share * 100).toFixed(3)} % of all segments were sent again.`;
      return byShare(share, finding);
    },
  },
  sockets: {
    title: 'Sockets',
    meaning: 'Many closed connections that still wait take up ports and memory.',
    async run() {
      const text = await systemFile('/proc/net/sockstat');
      const count = (name: string) =>
        Number(new RegExp(`^TCP:.*\\b${name} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
      const details = [detail('orphans', count('orphan')), detail('wait for their end', count('tw'))];
      const finding = `${counted(count('inuse'), 'TCP socket')} in use.`;
      return count('tw') > 20_000
        ? warning(finding, 'Have clients keep their connections instead of making many.', details)
        : ok(finding, details);
    },
  },
  // of nf_conntrack, where the kernel has it
  connection_tracking: {
    title: 'Connections that the firewall follows',
    meaning: 'When its table is full the firewall drops new connections.',
    action: 'Raise net.netfilter.nf_conntrack_max.',
    limits: { much: 0.8, most: 0.97 },
    async run() {
      const files = ['nf_conntrack_count', 'nf_conntrack_max'].map(
        (name) => `/proc/sys/net/netfilter/${name}`,
      );
      const [now, most] = await Promise.all(
        files.map((path) => systemFile(path).then(Number, () => undefined)),
      );
      if (now === undefined || !most) return ok('The firewall of this machine follows none.');
      const finding = `${now} of ${most} are in use.`;
      return byShare(now / most, finding);
    },
  },
});

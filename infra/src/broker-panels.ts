import type { Panel } from './dashboard-panels.ts';

/** what is chosen at the head of the dashboard */
const chosen = 'region=~"$region", tenant=~"$tenant", deployment=~"$deployment"';
const of = (metric: string, runtime: 'node' | 'broker') => `${metric}{${chosen}, runtime="${runtime}"}`;
const series = '{{region}} {{deployment}} {{node}}';
/** a region has thousands: those that stand out */
const highest = (expression: string) => ({ [series]: `topk(10, ${expression})` });
const rate = (metric: string) => `rate(${of(metric, 'broker')}[$__rate_interval])`;

/** The rows of the dashboard of brokers, by their titles. */
export const brokerRows: Record<string, readonly Panel[]> = {
  Brokers: [
    {
      title: 'Down',
      unit: 'short',
      series: { '{{region}}': `count by (region) (sluice_broker_up{${chosen}} == 0) or vector(0)` },
    },
    {
      title: 'Agents silent',
      unit: 'short',
      series: { '{{region}}': `count by (region) (sluice_node_up{${chosen}} == 0) or vector(0)` },
    },
    {
      title: 'Nodes by version of the broker',
      unit: 'short',
      series: {
        '{{region}} {{broker_version}}': `count by (region, broker_version) (sluice_node_info{${chosen}})`,
      },
    },
  ],
  Machines: [
    { title: 'Disk used, percent', unit: 'short', series: highest(of('sluice_disk_percent', 'node')) },
    { title: 'Memory used, percent', unit: 'short', series: highest(of('sluice_memory_percent', 'node')) },
    { title: 'CPU used, percent', unit: 'short', series: highest(of('sluice_cpu_percent', 'node')) },
  ],
  Traffic: [
    { title: 'Connections', unit: 'short', series: highest(of('sluice_connections', 'broker')) },
    { title: 'Messages received', unit: 'reqps', series: highest(rate('sluice_messages_received_total')) },
    { title: 'Messages sent', unit: 'reqps', series: highest(rate('sluice_messages_sent_total')) },
    { title: 'Slow consumers cut', unit: 'reqps', series: highest(rate('sluice_slow_consumers_total')) },
    { title: 'Bytes stored', unit: 'bytes', series: highest(of('sluice_stored_bytes', 'broker')) },
    { title: 'Consumers', unit: 'short', series: highest(of('sluice_consumers', 'broker')) },
  ],
};
